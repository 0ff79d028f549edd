import type { Generated } from 'kysely'

/** All times are Unix milliseconds. Truth is 0 or 1: SQLite has no other. */
export interface Tables {
  user: UserTable
  session: SessionTable
  audit: AuditTable
  recording: RecordingTable
  export: ExportTable
  review_item: ReviewItemTable
  review_seen: ReviewSeenTable
  deleted_role: DeletedRoleTable
  instance: InstanceTable
  camera: CameraTable
  camera_listing: CameraListingTable
  meta: MetaTable
  migration: MigrationTable
}

export interface UserTable {
  id: string
  name: string
  /** The name in lower case; unique. */
  key: string
  role: string
  password_hash: string
  credential_version: number
  password_set_at: number
  /** 0: only its user knows it; 1: it was printed; 2: an admin gave it. */
  password_printed: number
  created_at: number
  last_login_at: number | null
}

export interface SessionTable {
  id: string
  user_id: string
  credential_version: number
  created_at: number
  last_seen_at: number
  expires_at: number
  address: string
  user_agent: string
}

export interface AuditTable {
  id: Generated<number>
  at: number
  action: string
  result: string
  user: string | null
  /** The user in lower case, to be found by. */
  user_key: string | null
  source: string | null
  address: string | null
  target: string | null
  detail: string | null
  /** How often it happened, or how many it was done to. */
  count: Generated<number>
  /** Milliseconds. */
  duration: number | null
  /** Of what was recorded. */
  start: number | null
  end: number | null
}

/** One file of recorded video. */
export interface RecordingTable {
  id: Generated<number>
  /** Whose disk it lies on: several instances may share one database. */
  library: string
  camera: string
  start: number
  end: number
  bytes: number
  /** Of these, the init segment. */
  init_bytes: number
  /** Percent of the picture that moved, at most. */
  motion: number
  /** The stream it was cut from: files of one run follow each other without a break. */
  run: number
  /** Below the library's folder. */
  file: string
}

/** One thing that happened before a camera. */
export interface ReviewItemTable {
  /** Begins with its start, so that what came together lies together; the rest is chance. */
  id: string
  /** Whose it is: several instances may share one database. */
  library: string
  camera: string
  severity: string
  start: number
  /** As far as is known where it is still open. */
  end: number
  open: number
  /** Percent of the picture that moved, at most. */
  motion: number
  /** JSON; null where nobody knows. */
  box: string | null
  /** The moment that its picture shows; null where there is none. */
  thumbnail_at: number | null
}

/** Who has seen which item. Where an item lies in a list is kept along, so that what was seen is counted like what is there. */
export interface ReviewSeenTable {
  source: string
  user_key: string
  /** Of a user who signs in here: with them, their marks go. */
  user_id: string | null
  library: string
  camera: string
  severity: string
  start: number
  item: string
}

/** A piece of a recording that is kept as a file of its own, or is to be. */
export interface ExportTable {
  /** Names its file too. */
  id: string
  /** Whose disk it lies on, as of a recording. */
  library: string
  camera: string
  name: string
  start: number
  end: number
  /** Milliseconds of recording that it has to hold at least. */
  expected: number
  /** `queued`, `running`, `done`, `failed`. */
  state: string
  tries: number
  /** Of the file; null until it is done. */
  bytes: number | null
  /** Milliseconds that the file plays; null until it is done. */
  duration: number | null
  /** Why it failed: JSON. */
  problem: string | null
  /** Bytes that it will take. */
  promised: number
  owner_source: string
  owner_key: string
  /** Of a user who signs in here: another one with that name is not the owner. Empty: a deleted one. */
  owner_user: string | null
  created_by: string
  created_at: number
  finished_at: number | null
}

/** A role whose deletion has begun: written before the file, and removed with the change of its users. */
export interface DeletedRoleTable {
  role: string
  /** The instance that deletes it; only that one's config.yml says how far it came. */
  owner: string
  deleted_at: number
  /** Who deleted it: JSON of `user`, `source`, `address`. */
  deleted_by: string
}

/** A running instance, as it last reported itself. Times are those of the database. */
export interface InstanceTable {
  /** Another one at every start. */
  id: string
  /** The machine's. */
  name: string
  started_at: number
  seen_at: number
  /** JSON: each custom role, and a hash of its cameras. */
  roles: string
}

/** A camera that is configured, or was. */
export interface CameraTable {
  /** Whose it is: several instances may share one database. */
  library: string
  /** What is stored of it is kept under this: the `camera` of other tables. */
  key: string
  name: string
  /** A hash of its source without credentials; empty where it is not known. */
  source: string
  added_at: number
  /** null: it is configured. */
  removed_at: number | null
  /** JSON: roles that listed it before it was added, and do not grant it. */
  withheld: string
}

/** A role that lists a name which no camera has. */
export interface CameraListingTable {
  library: string
  name: string
  role: string
}

/** What the service notes about the database itself. */
export interface MetaTable {
  key: string
  value: string
}

export interface MigrationTable {
  name: string
  done_at: number
}
