import type { Reply, TestClient } from './test-client.ts'

export const password = 'correct horse battery staple'

/** A client that keeps the token of its login. */
export interface SignedIn extends TestClient {
  readonly token: string
}

/** Signs in and keeps the cookie. */
export async function signIn(at: TestClient, user: string, secret: string = password): Promise<SignedIn> {
  const response = await at.post('/api/login', { user, password: secret })
  if (response.status !== 200) throw new Error(`${user} could not sign in: ${response.status} ${response.text}`)
  const token = tokenIn(response)
  return { ...at.with({ cookie: `gatehouse_token=${token}` }), token }
}

/** The session token in a response's first cookie; empty if the cookie was cleared. */
export function tokenIn(response: Reply): string {
  return /^[^=]+=([^;]*)/.exec(response.cookies[0] ?? '')?.[1] ?? ''
}
