/** Formats a value on one line, as the file would contain it. */
export function yamlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlOf).join(', ')}]`
  if (value instanceof Map) return yamlOf(Object.fromEntries(value))
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, inner]) => `${key}: ${yamlOf(inner)}`)
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
  }
  if (typeof value !== 'string') return String(value)
  // Unquoted if YAML reads it back as the same text in any context.
  return /^[A-Za-z/][A-Za-z0-9_./;@=-]*$/.test(value) && !/^(true|false|null)$/i.test(value)
    ? value
    : JSON.stringify(value)
}
