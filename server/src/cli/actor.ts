import { userInfo } from 'node:os'
import type { Actor } from '../shared/audit/audit.ts'

/** The actor of what the command changes: no user of the service, but the operating system's user who runs it. */
export function commandActor(): Actor {
  const { uid, name } = account()
  return { user: null, auth_method: 'command', address: null, credential: { id: String(uid), name } }
}

function account(): { readonly uid: number; readonly name: string } {
  try {
    const { uid, username } = userInfo()
    return { uid, name: username }
  } catch {
    // A container can run as a user that /etc/passwd doesn't have.
    const uid = process.getuid?.() ?? -1
    return { uid, name: String(uid) }
  }
}
