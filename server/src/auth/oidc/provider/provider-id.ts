/** Max characters of a subject (OpenID Connect Core 1.0, section 2). */
const maxSubject = 255

/** Whether a text of the provider can be kept: a database refuses NUL, and half a character is stored as another one. */
export const isProviderText = (text: unknown): text is string =>
  typeof text === 'string' && text.isWellFormed() && !/\p{Cc}/u.test(text)

/** Whether a subject identifies a user (OIDC-2): not empty, and stored as it is. */
export const isSubject = (subject: string): boolean =>
  subject !== '' && subject.length <= maxSubject && isProviderText(subject)
