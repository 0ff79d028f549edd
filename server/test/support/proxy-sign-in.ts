import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProxySignIn } from './guide-fronts.ts'
import { temporaryFolder } from './temporary-folder.ts'

const passwordOf = (user: string) => `let-${user}-in`

const sha1 = (user: string) => createHash('sha1').update(passwordOf(user)).digest('base64')

/** `Authorization` of a user of {@link proxySignIn}. */
export const basic = (user: string) => `Basic ${Buffer.from(`${user}:${passwordOf(user)}`).toString('base64')}`

/** The secret that those proxies send. */
export const secret = 'the secret that only the proxy knows, and no client'

/** Signs in ann (sysadmins), ben (side-street) and kim, who has no groups. */
export function proxySignIn(): ProxySignIn {
  const dir = temporaryFolder()
  const usersFile = join(dir, 'users')
  writeFileSync(usersFile, ['ann', 'ben', 'kim'].map((user) => `${user}:{SHA}${sha1(user)}\n`).join(''))
  chmodSync(dir, 0o755)
  return {
    usersFile,
    secret,
    // Of the same passwords, with few rounds.
    hashes: {
      caddy: [
        '$2b$04$BWt3kpdDHMS/2u/KV9AcWuauv4tjJSPIZd9bbze7t8LGNB5VWgAUa',
        '$2b$04$uyqOzQtpqJdGyiXOsN7P2uNTD0V.JSNgsasTX.f9wbTefvCYx8d7.',
        '$2b$04$kimsaltkimsaltkimsaltuvKW2lI778ZEBX/tjWCmeRNNo6Kq0Jtq',
      ],
      haproxy: [
        '$5$rounds=1000$s7CUYrP763vP6eky$jSDipDRnBz81uQTzHCX6QiGlLBaqKskYigUpPWcbrxB',
        '$5$rounds=1000$UthcELsTGMbNNcke$8P5gXWhlohMYKHDKx93LnC8kdiN0l./A9X5/vyWVXD0',
        '$5$rounds=1000$kimsaltkimsaltki$ZKnp.mDx4xolQRkZz/3YCypKPKiDsJfwLDvDD5grmg3',
      ],
    },
  }
}
