/** Without the blanks that HTTP allows around a value; no other, so that two different names stay two. */
export const trimmed = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '')
