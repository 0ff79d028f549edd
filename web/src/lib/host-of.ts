/** The host of a URL, as `gate.example:8971`; the text itself if the browser can't read it. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url
