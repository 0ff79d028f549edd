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
  const { status, statusText, headers: received } = response
  return new Response(hasBody ? bytes : null, { status, statusText, headers: received })
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
