import { ApiError } from './api.ts'
import type { Texts } from './texts/texts.ts'

/** What to tell somebody about a failure: the service's own words, else ours. */
export function messageOf(error: unknown, { failure }: Texts): string {
  if (!(error instanceof ApiError)) return failure.unexpected
  if (error.message) return error.message
  if (error.failure.goTo) return failure.elsewhere
  if (error.failure.status === 0) return failure.network
  if (error.failure.status === 429) return failure.busy
  return error.failure.status === 502 || error.failure.status === 503 || error.failure.status === 504
    ? failure.unavailable
    : failure.unexpected
}

/** What the service said about one field of what was sent. */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  // Fields come as `password`, `body.password` or `/password`.
  const found = error.failure.problems?.find((problem) => problem.field.split(/[./]/).at(-1) === field)
  // Marks of code, as in our docs, mean nothing on a page.
  return found?.message.replaceAll('`', '')
}
