import { useEffect, useState, type RefObject } from 'react'

/** Milliseconds an element counts as seen after it leaves the view: long enough to look away and come back. */
const grace = 5000

/** Whether the user can see an element: it is on the screen, or nearly, and the page is not hidden. */
export function useInView(ref: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)

  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    let onScreen = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = () => {
      clearTimeout(timer)
      if (onScreen && !document.hidden) setSeen(true)
      else timer = setTimeout(() => setSeen(false), grace)
    }
    const observer = new IntersectionObserver(
      (entries) => {
        onScreen = entries.at(-1)?.isIntersecting ?? true
        settle()
      },
      { rootMargin: '300px' },
    )
    observer.observe(element)
    document.addEventListener('visibilitychange', settle)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('visibilitychange', settle)
    }
  }, [ref])

  return seen
}
