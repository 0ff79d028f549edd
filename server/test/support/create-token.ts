import type { TestClient } from './test-client.ts'

export interface CreatedToken {
  readonly id: string
  readonly token: string
}

/** Creates an API token of a signed-in user. */
export async function createToken(by: TestClient, body: object = {}): Promise<CreatedToken> {
  const { status, json, text } = await by.post('/api/tokens', { name: 'a program', ...body })
  if (status !== 201) throw new Error(`no token was created: ${text}`)
  return json as CreatedToken
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
export const basic = (token: string, username = 'any') => ({
  authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`,
})
