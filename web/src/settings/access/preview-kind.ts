/** Whose access is previewed. */
export const previewKinds = ['user', 'token', 'screen', 'link', 'headers'] as const
export type PreviewKind = (typeof previewKinds)[number]
