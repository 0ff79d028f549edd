/** Whether a text is not a safe link target: `javascript:` and similar schemes run code. */
export function notLink(text: string): boolean {
  // A browser drops control characters and treats `\` as `/`, so `/\evil.example` leads to another site.
  if (/[\s\p{Cc}\\]/u.test(text)) return true
  if (text.startsWith('/')) return text.startsWith('//')
  return !/^https?:\/\//i.test(text) || !URL.canParse(text)
}
