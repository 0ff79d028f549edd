import { startGatehouse, type Gatehouse } from './harness.ts'

/** Who looks: nobody, somebody signed in, or the first admin with the password from the log. */
export type Who = 'nobody' | 'ada' | 'nina' | 'kim' | 'admin'

/** A service that has been lived in for a while: people, roles and cameras as a house may have them. */
export interface LivedIn {
  readonly house: Gatehouse
  /** The cookie that makes a browser theirs. */
  readonly tokenOf: (who: Exclude<Who, 'nobody'>) => Promise<string>
}

const cameras = {
  front_door: { source: 'demo:door', title: 'Front door' },
  side_yard: { source: 'demo:yard', title: 'Side yard' },
  office: { source: 'demo:office', title: 'Back office' },
  loading_bay: { source: 'demo:yard', title: 'Loading bay' },
  // Nothing listens there.
  barn: { source: 'rtsp://127.0.0.1:9/stream1', title: 'Barn' },
  north_gate: { source: 'demo:door', title: 'North gate behind the greenhouse', enabled: false },
}

const roles = {
  neighbour: ['side_yard'],
  night_guard: ['front_door', 'side_yard', 'loading_bay', 'barn'],
  // Grants nothing: there is no such camera.
  keeper: ['old_barn'],
}

const people = {
  vera: 'viewer',
  bert: 'admin',
  'lin.wei': 'night_guard',
  gustav: 'night_guard',
  'maximiliane.oberhuber-schwarzenbach@example.org': 'neighbour',
  yusuf: 'viewer',
} as const

export async function liveIn(): Promise<LivedIn> {
  const house = await startGatehouse({
    config: {
      cameras,
      auth: { roles, failed_login_rate_limit: null },
      proxy: { header_map: { user: 'x-forwarded-user', role: 'x-forwarded-groups' } },
    },
  })
  const who = { ada: 'admin', nina: 'neighbour', kim: 'keeper' } as const
  const signedIn = new Map<string, Promise<{ headers: Record<string, unknown> }>>()
  for (const [name, role] of Object.entries({ ...who, vera: people.vera, gustav: people.gustav })) {
    const person = await house.user(name, role)
    signedIn.set(name, Promise.resolve(person))
  }
  for (const [username, role] of Object.entries(people)) {
    if (username === 'vera' || username === 'gustav') continue
    await house.inside.post('/api/users', { username, password: 'correct horse battery staple', role })
  }
  for (const user of ['vera', 'root', 'administrator']) {
    await house.gate.post('/api/login', { user, password: 'hunter2' })
  }
  await house.user('nina').then((nina) => nina.get('/api/users'))
  return {
    house,
    tokenOf: async (name) => {
      const person = await (name === 'admin' ? house.admin() : signedIn.get(name))
      return /gatehouse_token=(.*)/.exec(String(person?.headers['cookie']))?.[1] ?? ''
    },
  }
}
