import { ObjectError, type StorageProblem } from '../shared/storage/objects.ts'
import { systemCodeOf } from '../shared/caught-error.ts'

/** Codes of S3, and of servers that are compatible with it. */
const codes: ReadonlyMap<string, StorageProblem> = new Map([
  ['AccessDenied', 'denied'],
  ['AccountProblem', 'denied'],
  ['AllAccessDisabled', 'denied'],
  ['InvalidAccessKeyId', 'credentials'],
  ['SignatureDoesNotMatch', 'credentials'],
  ['InvalidSecurity', 'credentials'],
  ['AuthorizationHeaderMalformed', 'credentials'],
  ['RequestTimeTooSkewed', 'clock'],
  ['RequestExpired', 'clock'],
  ['NoSuchBucket', 'no-bucket'],
  ['NoSuchKey', 'missing'],
  ['QuotaExceeded', 'full'],
  ['XMinioStorageFull', 'full'],
  ['XMinioAdminBucketQuotaExceeded', 'full'],
  ['InsufficientStorage', 'full'],
  ['SlowDown', 'busy'],
  ['ServiceUnavailable', 'busy'],
  ['TooManyRequests', 'busy'],
  ['RequestTimeout', 'timeout'],
  ['BadDigest', 'damaged'],
  ['XAmzContentSHA256Mismatch', 'damaged'],
  ['IncompleteBody', 'damaged'],
  ['PermanentRedirect', 'redirected'],
  ['TemporaryRedirect', 'redirected'],
])

/** What a status means without a code: a response to HEAD has no body. */
function problemOfStatus(status: number): StorageProblem {
  if (status >= 300 && status < 400) return 'redirected'
  if (status === 401 || status === 403) return 'denied'
  if (status === 404) return 'missing'
  if (status === 408 || status === 504) return 'timeout'
  if (status === 429 || status === 503) return 'busy'
  if (status === 507) return 'full'
  return 'unexpected'
}

/**
 * What a response with an error means.
 *
 * @param body the response's body, or its beginning; nothing of it but a known code is used
 */
export function failureOf(status: number, body: string): ObjectError {
  const code = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(body)?.[1]
  const known = code === undefined ? undefined : codes.get(code)
  return new ObjectError(known ?? problemOfStatus(status), known === undefined ? String(status) : `${status} ${code}`)
}

/** What it means that there is no response. @param error from Node's HTTP client: its message contains the address */
export function connectionFailure(error: unknown): ObjectError {
  if (error instanceof ObjectError) return error
  if (error instanceof Error && error.name === 'TimeoutError') return new ObjectError('timeout')
  const code = systemCodeOf(error)
  const detail = code !== undefined && /^[A-Z0-9_]{1,64}$/.test(code) ? code : undefined
  return new ObjectError(detail === 'ETIMEDOUT' ? 'timeout' : 'unreachable', detail)
}
