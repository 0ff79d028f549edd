import { expect } from 'vitest'

/** Characters: as many as the headers of one response of a camera have. */
const length = 16_000

/**
 * Fails if one of these texts, repeated to 16,000 characters, takes far longer than an ordinary one of that length. What
 * grows with the square of the length takes thousands of times as long; the least of several tries is counted, because
 * the machine can be busy.
 *
 * @param begin what comes before what is repeated
 */
export function expectLinear(
  work: (text: string) => unknown,
  ordinary: string,
  hostile: readonly { readonly begin?: string; readonly repeated: string }[],
): void {
  const limit = 100 * fastest(() => work(filled('', ordinary)))
  const slow = hostile.filter(({ begin = '', repeated }) => fastest(() => work(filled(begin, repeated))) > limit)
  expect(slow).toEqual([])
}

const filled = (begin: string, repeated: string): string => (begin + repeated.repeat(length)).slice(0, length)

/** Milliseconds. */
function fastest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
  return Math.min(...times)
}
