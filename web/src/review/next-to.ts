/** The card an arrow key leads to, by position on the screen; undefined for any other key. */
export function nextTo(card: HTMLElement, key: string): HTMLElement | undefined {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-item]')]
  const at = cards.indexOf(card)
  const onward = getComputedStyle(card).direction === 'rtl' ? -1 : 1
  switch (key) {
    case 'ArrowRight':
      return cards[at + onward]
    case 'ArrowLeft':
      return cards[at - onward]
    case 'Home':
      return cards[0]
    case 'End':
      return cards.at(-1)
    case 'ArrowDown':
      return nearest(card, cards.slice(at + 1))
    case 'ArrowUp':
      return nearest(card, cards.slice(0, Math.max(0, at)).toReversed())
    default:
      return undefined
  }
}

/** The card of the nearest other row that is closest horizontally. @param others nearest first */
function nearest(card: HTMLElement, others: readonly HTMLElement[]): HTMLElement | undefined {
  const { top, left } = card.getBoundingClientRect()
  const row = others.find((other) => Math.abs(other.getBoundingClientRect().top - top) > 4)?.getBoundingClientRect().top
  const away = (other: HTMLElement) => Math.abs(other.getBoundingClientRect().left - left)
  const inRow = others.filter((other) => row !== undefined && Math.abs(other.getBoundingClientRect().top - row) <= 4)
  return inRow.toSorted((one, other) => away(one) - away(other))[0]
}
