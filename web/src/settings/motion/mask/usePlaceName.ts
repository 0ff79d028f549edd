import { useLocale, useTexts } from '../../../i18n/texts.ts'
import type { Point } from '../motion-settings.ts'

/** `33 % from the left, 50 % from the top`, localized. */
export function usePlaceName(): (point: Point) => string {
  const { point } = useTexts('motion').motion
  const percent = new Intl.NumberFormat(useLocale(), { style: 'percent', maximumFractionDigits: 1 })
  return ([x, y]) => point.place({ left: percent.format(x), top: percent.format(y) })
}
