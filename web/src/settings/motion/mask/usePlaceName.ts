import { useLocale, useTexts } from '../../../i18n/texts.ts'
import type { Point } from '../motion-settings.ts'

/** `33 % from the left, 50 % from the top`, localized. */
export function usePlaceName(): (corner: Point) => string {
  const { point: corner } = useTexts('motion').motion
  const percent = new Intl.NumberFormat(useLocale(), { style: 'percent', maximumFractionDigits: 1 })
  return ([x, y]) => corner.place({ left: percent.format(x), top: percent.format(y) })
}
