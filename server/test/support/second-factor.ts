import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { createAuthenticator, type Authenticator } from './authenticator.ts'
import { password, tokenIn } from './sign-in.ts'
import type { InProcessService } from './start-service.ts'
import type { Reply, TestClient } from './test-client.ts'

/** An authenticator app. */
export interface TotpApp {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  /** The code that it shows at the service's time, or some steps later. */
  code(steps?: number): string
}

export const codeOf = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

/** Sets up an authenticator app for the user of a client, who has to be confirmed. Moves the clock to the next code. */
export async function addTotp(service: InProcessService, client: TestClient): Promise<TotpApp> {
  const { secret } = (await client.post('/api/account/totp')).json as { secret: string }
  const code = (steps = 0) => codeOf(secret, service.clock.now() + steps * step)
  const confirmed = await client.post('/api/account/totp/confirm', { code: code() })
  expect(confirmed.status, confirmed.text).toBe(200)
  nextCode(service)
  return { secret, recoveryCodes: (confirmed.json as { recovery_codes: string[] }).recovery_codes, code }
}

/** Moves the wall time: only that counts for factors, and thirty days of timers would take long. */
export const pass = ({ clock }: InProcessService, milliseconds: number): void =>
  clock.setWallTime(clock.now() + milliseconds)

/** Milliseconds for which the app shows a code. */
const step = 30_000

/**
 * Moves the clock until the app shows a code that was not used: a step is accepted once. The clock goes on from there, so
 * the step has just begun and doesn't end during the test.
 */
export const nextCode = ({ clock }: InProcessService): void =>
  clock.setWallTime((Math.floor(clock.now() / step) + 1) * step)

/** A client whose browser shows the service under a name, without which passkeys don't work. */
export const named = (client: TestClient, name = 'localhost'): TestClient =>
  client.with({ host: `${name}:${client.port}`, origin: `http://${name}:${client.port}` })

/** Adds a passkey for the user of a client, who has to be confirmed. */
export async function addPasskey(
  client: TestClient,
  name = 'Phone',
): Promise<Authenticator & { readonly recoveryCodes: string[] | undefined }> {
  const authenticator = createAuthenticator(`http://localhost:${client.port}`)
  const here = named(client)
  const options = (await here.post('/api/account/passkeys/options')).json
  const added = await here.post('/api/account/passkeys', { name, credential: authenticator.create(options) })
  expect(added.status, added.text).toBe(201)
  return { ...authenticator, recoveryCodes: (added.json as { recovery_codes?: string[] }).recovery_codes }
}

export const login = (at: TestClient, user: string, secret = password): Promise<Reply> =>
  at.post('/api/login', { user, password: secret })

/** The ticket of a sign-in that waits for the second factor. */
export async function ticketOf(at: TestClient, user: string, secret = password): Promise<string> {
  const reply = await login(at, user, secret)
  expect(reply.status, reply.text).toBe(401)
  expect(reply.json).toMatchObject({ code: 'second-factor-required' })
  return (reply.json as { ticket: string }).ticket
}

/** A client that is signed in by the response of a login. */
export function signedInBy(at: TestClient, reply: Reply): TestClient {
  expect(reply.status, reply.text).toBe(200)
  const session = reply.cookies.find((cookie) => cookie.startsWith('gatehouse_token='))
  return at.with({ cookie: `gatehouse_token=${tokenIn({ ...reply, cookies: session ? [session] : [] })}` })
}

/** The cookie of a remembered device. */
export const deviceCookieOf = ({ cookies }: Reply): string =>
  cookies.find((cookie) => cookie.startsWith('gatehouse_device='))?.split(';')[0] ?? ''

export const secondFactor = (at: TestClient, ticket: string, proof: object): Promise<Reply> =>
  at.post('/api/login/second-factor', { ticket, ...proof })
