import type { Constraint } from '../../../server/src/api-types.ts'
import type { Texts } from './catalogs.ts'

/** The values that a config.yml key allows, as the language lists alternatives. */
export function describeAllowed(allowed: readonly Constraint[], texts: Texts<'config-problems'>): string {
  const forms = allowed.flatMap((one) => describe(one, texts))
  const [form = '', other] = forms
  // Without a semicolon, `null` would read as part of a form with commas.
  const isOptional = forms.length === 2 && other === texts.allowed.kinds.null && /[,，、]/.test(form)
  return isOptional ? texts.allowed.orNull({ form }) : alternatives(forms, texts)
}

/** `lax, strict or none`. */
export const alternatives = (names: readonly string[], { tag }: Texts): string =>
  new Intl.ListFormat(tag, { type: 'disjunction' }).format(names)

function describe(one: Constraint, texts: Texts<'config-problems'>): readonly string[] {
  const { kinds, range, list } = texts.allowed
  switch (one.kind) {
    case 'one-of':
      return one.values
    case 'list':
      return [list({ each: describeAllowed(one.each, texts) })]
    case 'integer':
    case 'number':
      return [`${kinds[one.kind]}${rangeOf(one, range)}`]
    default:
      return [kinds[one.kind]]
  }
}

/** As in the file: a decimal point and no separators. */
function rangeOf(
  { min, max, above }: { min?: number; max?: number; above?: number },
  range: Texts<'config-problems'>['allowed']['range'],
): string {
  if (min !== undefined && max !== undefined) return range.between({ min: String(min), max: String(max) })
  if (min !== undefined) return range.min({ min: String(min) })
  return above === undefined ? '' : range.above({ above: String(above) })
}
