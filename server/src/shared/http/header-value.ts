/** Removes only the spaces and tabs that HTTP allows around a value, so that two different names stay different. */
export const trimmed = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '')
