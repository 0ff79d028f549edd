import type { CustomFetch } from 'openid-client'

/** Max bytes of a response: a discovery document or a key set has a few kilobytes. */
const maxBytes = 512 * 1024
/** Milliseconds for a whole response. */
const timeout = 10_000

/**
 * Requests to the identity provider. A redirect is a failure, because its target would get the client's secret or
 * replace the provider; so is a response that is too large or takes too long, counted until its last byte.
 */
export const providerFetch: CustomFetch = async (url, { body, headers, method, signal }) => {
  const signals = [AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]
  const sent = { method, headers, body } as RequestInit
  const response = await fetch(url, { ...sent, redirect: 'error', signal: AbortSignal.any(signals) })
  const bytes = await bounded(response)
  const hasBody = ![204, 205, 304].includes(response.status)
  const { statusText, headers: received } = response
  const status = method === 'POST' && response.status === 200 && isErrorBody(bytes) ? 400 : response.status
  return new Response(hasBody ? bytes : null, { status, statusText, headers: received })
}

/**
 * Whether a token endpoint reports an error. Some do so with the status 200, as GitHub does; it counts as an error with the
 * status of the standard (RFC 6749, 5.2).
 */
function isErrorBody(bytes: Uint8Array): boolean {
  try {
    const body: unknown = JSON.parse(Buffer.from(bytes).toString())
    return typeof body === 'object' && body !== null && 'error' in body && !('access_token' in body)
  } catch {
    return false
  }
}

async function bounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    // Leaving the loop cancels the response.
    if (length > maxBytes) throw new Error(`the provider's response is larger than ${maxBytes} bytes`)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
