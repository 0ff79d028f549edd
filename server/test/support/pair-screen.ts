import type { Service } from './service.ts'
import type { TestClient } from './test-client.ts'

export interface NewScreen {
  readonly name: string
  readonly cameras: readonly string[]
  readonly audio?: boolean
  readonly layout?: object
}

/** The `name=value` of a screen's cookie. */
export const cookieIn = (cookies: readonly string[]): string => {
  const cookie = cookies.find((each) => each.startsWith('gatehouse_screen='))?.split(';')[0]
  if (cookie === undefined) throw new Error('the response sets no cookie of a screen')
  return cookie
}

/** A display that asks for a code. */
export async function startPairing({ gate }: Pick<Service, 'gate'>): Promise<{ id: string; code: string }> {
  const { status, json, text } = await gate.post('/api/pairings')
  if (status !== 201) throw new Error(`no pairing was started: ${text}`)
  return json as { id: string; code: string }
}

/** Pairs a screen: its id, and a client with its cookie. @param by the caller that confirms its code */
export async function pairScreen(
  service: Service,
  screen: NewScreen,
  by = service.internal,
): Promise<{ id: string; client: TestClient }> {
  const pairing = await startPairing(service)
  const confirmed = await by.post('/api/pairings/confirm', { code: pairing.code, ...screen })
  if (confirmed.status !== 201) throw new Error(`the code was not confirmed: ${confirmed.text}`)
  const { cookies } = await service.gate.get(`/api/pairings/${pairing.id}`)
  return { id: (confirmed.json as { id: string }).id, client: service.gate.with({ cookie: cookieIn(cookies) }) }
}
