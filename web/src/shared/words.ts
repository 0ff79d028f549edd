/** The words for something that the service names; the name itself where there are none. */
export const labelFor = (words: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] ?? name) : name
