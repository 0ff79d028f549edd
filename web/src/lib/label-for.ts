/** The label for a name from the service; the name itself if it has no label. */
export const labelFor = (words: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] ?? name) : name
