import { existsSync, readFileSync } from 'node:fs'
import type { Sandbox } from './service-folder.ts'
import { password, signIn } from './sign-in.ts'
import { client, type TestClient } from './test-client.ts'
import type { Transcript } from './transcript.ts'

/** The clients of a running service. */
export function clientsOf({ configFile, gatePort, internalPort }: Sandbox, { printed }: Transcript) {
  const plain = /tls:\s*\{?\s*enabled: false/.test(existsSync(configFile) ? readFileSync(configFile, 'utf8') : '')
  const gate = client(gatePort, plain ? 'http' : 'https', {})
  const internal = client(internalPort, 'http', {})
  const clients = new Map<string, Promise<TestClient>>()
  const onlyOnce = (name: string, make: () => Promise<TestClient>): Promise<TestClient> => {
    const known = clients.get(name) ?? make()
    clients.set(name, known)
    return known
  }
  return {
    gate,
    internal,
    admin: () =>
      onlyOnce('admin', async () => {
        const [, printedPassword = ''] = await printed(/password:?\s+(\S+)/i)
        return signIn(gate, 'admin', printedPassword)
      }),
    user: (name: string, role = 'viewer') =>
      onlyOnce(name, async () => {
        const made = await internal.post('/api/users', { username: name, password, role })
        if (made.status !== 201) throw new Error(`${name} was not created: ${made.text}`)
        return signIn(gate, name, password)
      }),
  }
}
