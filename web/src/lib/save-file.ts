/** Downloads `content` as a file whose name contains the current time. */
export function saveFile(content: Blob, name: string, ending: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = `${name} ${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.${ending}`
  link.click()
  // The download keeps its own reference to the content once it has started.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
