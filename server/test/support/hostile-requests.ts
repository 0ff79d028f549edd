import { stringify } from 'yaml'
import type { Service } from './service.ts'
import { password, signIn } from './sign-in.ts'
import { client } from './test-client.ts'

/** Text that would add a line, or control a terminal, if it were logged as it is. */
export const hostileTexts: readonly string[] = [
  'a\n{"level":"info","logger":"service","msg":"FORGED"}',
  'b\r\n[12:00:00.000] INFO FORGED',
  'c\u001b[2J\u001b]0;FORGED\u0007',
  'd\u009b31mFORGED\u0085FORGED\u2028FORGED\u2029FORGED\u007f',
  'e"},"msg":"FORGED","x":{"y":"',
  'f\u0000FORGED\u202eDEGROF',
]

/** Sends these texts in every input that can contain another user's text. Needs a user gus without admin rights. */
export async function sendHostileRequests(
  { gate, internal, gatePort }: Service,
  texts: readonly string[] = hostileTexts,
): Promise<void> {
  for (const text of texts) {
    await gate.post('/api/login', { user: text, password: 'wrong' })
    await gate.post('/api/login', { [text]: text })
    await internal.post('/api/users', { username: text, password, role: text })
    await internal.put('/api/users/ann/role', { role: text })
    await internal.put('/api/roles/guard', { cameras: [text] })
    await internal.put(`/api/users/${encodeURIComponent(text)}/role`, { role: 'viewer' })
    await internal.delete(`/api/roles/${encodeURIComponent(text)}`)
    await internal.request('PUT', '/api/config/raw', {
      headers: { 'content-type': 'text/yaml', 'if-match': '*' },
      body: stringify({ [text]: text, auth: { roles: { [text]: ['yard'] } } }),
    })
    // The characters that a header can contain; our client cannot send others.
    const header = Buffer.from(text, 'utf8')
      .toString('latin1')
      .replace(/[\0-\x08\x0a-\x1f\x7f]/g, '\t')
    const headers = {
      'user-agent': header,
      'x-forwarded-for': header,
      'x-forwarded-user': header,
      cookie: `gatehouse_token=${header}`,
    }
    await gate.get('/api/profile', headers)
    await gate.get(`/api/${encodeURIComponent(text)}`, { ...headers, authorization: `Bearer ${header}` })
    await gate.post('/api/login', { user: 'ann', password: 'wrong' }, headers)
    const guard = await signIn(client(gatePort, 'http', {}), 'gus')
    // Signed in as gus, whose role does not allow it.
    const { cookie: _, ...others } = headers
    await guard.get(`/api/cameras/${encodeURIComponent(text)}`, others)
    await guard.get(`/api/users?${encodeURIComponent(text)}=${encodeURIComponent(text)}`, headers)
  }
}

/** Control characters of terminals, and the line separators of other programs. */
// oxlint-disable-next-line no-control-regex
export const controlCharacters = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/
