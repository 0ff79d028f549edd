/** `GET /api/profile`: the caller's own grant, so that the page offers only what will be allowed. */
export interface Profile {
  readonly username: string
  readonly role: string
  readonly allowed_cameras: readonly string[]
  readonly actions: readonly string[]
  readonly logout_url: string | null
  /** Who vouches for the name: our own password, a proxy, or nobody (the inside port). */
  readonly auth: 'password' | 'proxy' | 'none'
  /** The password stood in the log, and a new one has to be set (BOOT-4). */
  readonly password_printed: boolean
}

/** `POST /api/login`. */
export interface SignedIn {
  readonly username: string
  readonly role: string
  /** RFC 3339. */
  readonly expires_at: string
}

export type CameraState = 'online' | 'connecting' | 'offline' | 'disabled'

/** One of `GET /api/cameras`. */
export interface Camera {
  readonly name: string
  readonly title: string
  readonly state: CameraState
  readonly detail?: string | null
}

/** One of `GET /api/sessions`. Times are RFC 3339. */
export interface Session {
  readonly id: string
  readonly username: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly expires_at: string
  readonly address: string
  readonly user_agent: string
  readonly current: boolean
}

/** One thing wrong with what was sent. */
export interface Problem {
  readonly field: string
  readonly message: string
}

/** RFC 9457, as the service writes it. */
export interface ProblemDetails {
  readonly status: number
  readonly title?: string
  readonly detail?: string
  readonly code?: string
  readonly problems?: readonly Problem[]
}
