import type { Generated } from 'kysely'

/** All times are Unix milliseconds. Truth is 0 or 1: SQLite has no other. */
export interface Tables {
  user: UserTable
  session: SessionTable
  audit: AuditTable
  recording: RecordingTable
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

/** What the service notes about the database itself. */
export interface MetaTable {
  key: string
  value: string
}

export interface MigrationTable {
  name: string
  done_at: number
}
