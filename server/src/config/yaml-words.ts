/** A value on one line, as it may be written in the file. */
export function yamlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlOf).join(', ')}]`
  if (value instanceof Map) return yamlOf(Object.fromEntries(value))
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, inner]) => `${key}: ${yamlOf(inner)}`)
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
  }
  if (typeof value !== 'string') return String(value)
  // Plain where YAML reads it back as the same text, whatever stands around it.
  return /^[A-Za-z/][A-Za-z0-9_./;@=-]*$/.test(value) && !/^(true|false|null)$/i.test(value)
    ? value
    : JSON.stringify(value)
}
