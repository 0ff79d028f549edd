/** Saves something under a name with the time in it. */
export function saveFile(content: Blob, name: string, ending: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = `${name} ${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.${ending}`
  link.click()
  // The download has its own hold on the content once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
