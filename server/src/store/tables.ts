import type { Generated } from 'kysely'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/**
 * Every table, in one file: a column and what it refers to are read together. All times are Unix milliseconds. Booleans
 * are 0 or 1, because SQLite has no boolean type.
 */
export interface Tables {
  user: UserTable
  session: SessionTable
  logout_token: LogoutTokenTable
  api_token: ApiTokenTable
  totp: TotpTable
  new_totp: NewTotpTable
  recovery_code: RecoveryCodeTable
  passkey: PasskeyTable
  remembered_device: DeviceTable
  used_ticket: UsedTicketTable
  audit: AuditTable
  audit_output: AuditOutputTable
  recording: RecordingTable
  removed_object: RemovedObjectTable
  export: ExportTable
  review_item: ReviewItemTable
  review_seen: ReviewSeenTable
  screen: ScreenTable
  pairing: PairingTable
  invitation: InvitationTable
  share_link: ShareLinkTable
  share_link_viewer: ShareLinkViewerTable
  deleted_role: DeletedRoleTable
  instance: InstanceTable
  camera_lease: CameraLeaseTable
  config_version: ConfigVersionTable
  failed_login: FailedLoginTable
  deleted_file: DeletedFileTable
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
  /** Origin of the password. 0: chosen by its user, 1: printed by the service, 2: set by an admin. */
  password_origin: number
  created_at: number
  last_login_at: number | null
  /** 1: the user cannot sign in. */
  disabled: number
  /** Unix milliseconds; null: never. */
  expires_at: number | null
  /** 1: the user has a TOTP secret or a passkey. */
  has_factor: number
  factor_version: number
  /** Who reset the user's factors; null once the user has seen it. */
  factors_reset_by: string | null
  factors_reset_at: number | null
  /** Issuer of the identity provider, and the subject there; null: a local user. */
  issuer: string | null
  subject: string | null
  /** When the provider has to be asked again, by any of the user's sessions; null for a local user. */
  recheck_at: number | null
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
  /** null: not since a sign-in with a remembered device. */
  confirmed_at: number | null
  /** Id of the session at the identity provider; null if there is none. */
  provider_sid: string | null
  /** Sealed refresh token, or access token if there is none; null for a local user. */
  provider_token: string | null
  /** Sealed ID token, to sign out at the provider. */
  id_token: string | null
  /** When the provider has to be asked again; null for a local user. */
  recheck_at: number | null
  /** Until when an instance asks the provider; null: none does. */
  recheck_lease: number | null
}

/** A logout token of the identity provider that was used, and must not be used again. */
export interface LogoutTokenTable {
  /** SHA-256 of issuer and `jti`. */
  hash: string
  expires_at: number
  /** Each is larger than all before; null: used by an instance of an earlier version. */
  number: number | null
  issuer: string | null
  /** At least one of the two is given. */
  subject: string | null
  sid: string | null
}

/** The secret of a user's authenticator app. */
export interface TotpTable {
  user_id: string
  /** Sealed. */
  secret: string
  created_at: number
  /** The last time step whose code was accepted: each is accepted once. */
  last_step: number
  /** Wrong codes since the last right one. */
  failures: number
  failed_at: number | null
}

/** A TOTP secret that its user has not confirmed with a code yet: one for each session. */
export interface NewTotpTable {
  session_id: string
  secret: string
  expires_at: number
}

export interface RecoveryCodeTable {
  user_id: string
  /** SHA-256, as hex. */
  hash: string
}

export interface PasskeyTable {
  id: string
  user_id: string
  /** Id that the authenticator gave it, base64url; unique. */
  credential_id: string
  /** COSE key, base64url. */
  public_key: string
  /** Signature counter of the authenticator; 0 if it has none. */
  counter: number
  /** JSON. */
  transports: string
  /** Domain that the passkey is for. */
  rp_id: string
  name: string
  created_at: number
  last_used_at: number | null
}

/** A device on which a user need not show the second factor. */
export interface DeviceTable {
  id: string
  user_id: string
  /** Of the user when the device was remembered; a new password forgets it. */
  credential_version: number
  /** SHA-256 of the secret in its cookie, as hex. */
  secret_hash: string
  address: string
  user_agent: string
  created_at: number
  last_used_at: number
  expires_at: number
}

/** Challenges and tickets that were used, until they expire. */
export interface UsedTicketTable {
  /** SHA-256, as hex. */
  id: string
  expires_at: number
}

/** A token of a user, for programs. */
export interface ApiTokenTable {
  id: string
  user_id: string
  name: string
  /** SHA-256 of the secret, as hex. */
  secret_hash: string
  /** JSON: keys of its cameras; null: every camera of the user. */
  cameras: string | null
  /** JSON; null: what the user has on cameras. */
  actions: string | null
  created_at: number
  expires_at: number | null
  /** The user's credential version, with which it ends; null: it does not end with the password. */
  credential_version: number | null
  /** The API token by which it was created, of the same user; null: the user was signed in. */
  parent_id: string | null
  last_used_at: number | null
  last_used_from: string | null
}

/** A paired display. */
export interface ScreenTable {
  id: string
  name: string
  /** JSON: keys of its cameras. */
  cameras: string
  /** 1: it plays audio. */
  audio: number
  /** JSON. */
  layout: string
  /** SHA-256 of the cookie's secret, as hex; null until the display gets it. */
  secret_hash: string | null
  /** Name of the admin who confirmed it. */
  confirmed_by: string
  /** The API token that confirmed it; null: the admin was signed in. */
  token_id: string | null
  created_at: number
  last_seen_at: number | null
  address: string | null
}

/** An invitation, or with a user id a password reset. */
export interface InvitationTable {
  id: string
  /** SHA-256 of the link's secret, as hex. */
  secret_hash: string
  /** Of an invitation. */
  role: string | null
  /** null: the invited person chooses it. */
  username: string | null
  /** Of a reset: whose password it sets. */
  user_id: string | null
  /** Of a reset: the user's version at creation. */
  credential_version: number | null
  /** Name of the admin who created it. */
  created_by: string
  /** How that admin was signed in. */
  created_via: string
  /** null: not a database user. */
  creator_id: string | null
  /** The API token by which it was created; null: its creator was signed in. */
  token_id: string | null
  created_at: number
  expires_at: number
  /** `used`, `revoked`; null: neither. */
  ended: string | null
}

/** A display that waits for an admin to confirm its code. */
export interface PairingTable {
  /** SHA-256 of the id with which the display asks, as hex. */
  id_hash: string
  /** Unique. */
  code: string
  address: string
  user_agent: string
  created_at: number
  expires_at: number
  /** null: not confirmed. */
  screen_id: string | null
}

/** A share link: a live camera, a time range of its recordings, or an export, for anyone who has the link. */
export interface ShareLinkTable {
  id: string
  /** Its creator; deleting the user deletes the link. */
  user_id: string
  /** `live`, `history`, `export`. */
  kind: string
  /** Key of the camera. */
  camera: CameraKey
  /** The shared recording; null for `live`. */
  start: number | null
  end: number | null
  export_id: string | null
  expires_at: number
  revoked_at: number | null
  /** SHA-256 of the secret, as hex. */
  secret_hash: string
  /** Keyed hash of the code, as hex; null: no code. */
  code_hash: string | null
  /** Wrong codes so far. */
  wrong_codes: number
  opens: number
  max_opens: number | null
  max_viewers: number | null
  /** 1: the recording can be saved as a file. */
  download: number
  /** 1: it includes audio. */
  audio: number
  note: string
  /** The API token by which it was created; null: its creator was signed in. */
  token_id: string | null
  created_at: number
  last_opened_at: number | null
}

/** A viewer who has one of the slots of a link with a limited number of viewers. */
export interface ShareLinkViewerTable {
  link_id: string
  viewer: string
  /** When the slot was last used. */
  seen_at: number
}

export interface AuditTable {
  id: Generated<number>
  at: number
  action: string
  result: string
  user: string | null
  /** The username in lower case, for searching. */
  user_key: string | null
  auth_method: string | null
  /** Of the API token, screen or link. */
  credential_id: string | null
  credential: string | null
  address: string | null
  target: string | null
  detail: string | null
  /** Number of occurrences, or of affected objects. */
  count: Generated<number>
  /** Milliseconds. */
  duration: number | null
  /** Recorded range of a read. */
  start: number | null
  end: number | null
  /** Of a read: the user, as `ownerText` gives it. */
  owner: string | null
  /** Of a read, an export or a share link: the camera's key. */
  camera: CameraKey | null
  /** The instance that made the entry; null for entries before 0023. */
  instance: string | null
  /** Order in which the outputs of the instance write the entry; null while the entry still changes. */
  sequence: number | null
}

/** How far an instance has written the audit log to an output of its configuration. */
export interface AuditOutputTable {
  instance: string
  name: string
  /** `sequence` of the last entry written. */
  position: number
  /** Entries left out since then, which the output itself doesn't say yet. */
  missed: number
}

/** One file of recorded video. */
export interface RecordingTable {
  id: Generated<number>
  /** Id of the volume with the file: several instances can share one database. */
  volume: string
  camera: CameraKey
  start: number
  end: number
  bytes: number
  /** Bytes of the init segment. */
  init_bytes: number
  /** Largest part of the frame that moved, percent. */
  motion: number
  /** Id of the stream that the file was cut from. Files of one stream follow each other without a gap. */
  stream_id: number
  /** Path relative to the volume's folder. */
  file: string
  /** Of the camera's lease when it was recorded; 0: there was none. */
  epoch: Generated<number>
  /** Key in the object storage; null: the file is on the volume. */
  object: string | null
}

/** An object in the object storage that no recording has anymore, and that has to be removed. */
export interface RemovedObjectTable {
  key: string
  /** When it is to be removed; later than now: an instance removes it. */
  due_at: number
}

/** A review item: motion that a camera saw. */
export interface ReviewItemTable {
  /** Begins with the item's start, so that items of the same time are close together in the index; the rest is random. */
  id: string
  /** Id of the volume: several instances can share one database. */
  volume: string
  camera: CameraKey
  severity: string
  start: number
  /** The end so far while the item is open. */
  end: number
  open: number
  /** Largest part of the frame that moved, percent. */
  motion: number
  /** JSON; null if unknown. */
  box: string | null
  /** Time that the thumbnail shows; null if there is none. */
  thumbnail_at: number | null
  /** Of the camera's lease when it was seen; 0: there was none. */
  epoch: Generated<number>
}

/** Which user has seen which item. Copies the item's position in lists, so that seen items are counted the same way as items. */
export interface ReviewSeenTable {
  auth_method: string
  user_key: string
  /** Id of a user with a password; deleting the user deletes the marks. */
  user_id: string | null
  volume: string
  camera: CameraKey
  severity: string
  start: number
  item: string
}

/** An export: a clip of a recording that is or will be saved as a file. */
export interface ExportTable {
  /** Also the name of the file. */
  id: string
  /** Id of the volume with the file: exports don't move to the object storage. */
  volume: string
  camera: CameraKey
  name: string
  start: number
  end: number
  /** Minimum milliseconds of recording in the export. */
  expected: number
  /** `queued`, `running`, `done`, `failed`. */
  state: string
  tries: number
  /** Size of the file; null until the export is done. */
  bytes: number | null
  /** Duration of the file in milliseconds; null until the export is done. */
  duration: number | null
  /** Why the export failed: JSON. */
  problem: string | null
  /** Expected bytes of the file. */
  promised: number
  owner_auth_method: string
  owner_key: string
  /** Id of a user with a password, so that a later user with the same name is not the owner. Empty: a deleted user. */
  owner_user: string | null
  created_by: string
  created_at: number
  finished_at: number | null
}

/** A role whose deletion has begun: written before the configuration changes, and removed together with the change of its users. */
export interface DeletedRoleTable {
  role: string
  /** The instance that deletes the role; only its config.yml shows how far the deletion came. */
  owner: string
  deleted_at: number
  /** The actor of the deletion: JSON of `user`, `auth_method`, `address`. */
  deleted_by: string
}

/** A running instance, as last reported by itself. Times are from the database's clock. */
export interface InstanceTable {
  /** Stays the same when the instance restarts. */
  id: string
  /** `node.name`, or the machine's hostname. */
  name: string
  started_at: number
  seen_at: number
  /** JSON: each custom role, and a hash of its cameras. */
  roles: string
  /** Address of its inner server; null: the others can't reach it. */
  address: string | null
  /** JSON. */
  jobs: string | null
  /** JSON. */
  labels: string | null
  version: string | null
  /** Id of the volume on its disk. */
  volume: string | null
  /** JSON: figures to show. */
  load: string | null
  /** Maximum number of cameras that it pulls; null: no limit. */
  capacity: number | null
  /** Since when it gets no more cameras; null: it does. */
  drained_at: number | null
  /** When it was stopped; null: it runs, or crashed. */
  stopped_at: number | null
  /** New at every start; null: an earlier version reported. */
  run: string | null
}

/** Which instance pulls a camera. Times are from the database's clock. */
export interface CameraLeaseTable {
  camera: CameraKey
  /** null: none. */
  instance: string | null
  /** Grows with every change of owner. */
  epoch: number
  valid_until: number
  /** When the owner changed. */
  since: number
  /** The instance to which an admin moved it; null: whichever suits. */
  requested: string | null
}

/** A version of the configuration that the instances share. The newest one is active. */
export interface ConfigVersionTable {
  number: number
  /** YAML, with comments and placeholders. */
  document: string
  /** JSON of `user`, `auth_method`, `address`. */
  author: string
  at: number
}

/** Failed logins of an address, at all instances. Times of the database's clock. With SQLite it stays empty. */
export interface FailedLoginTable {
  address: string
  /** When they failed, latest first. */
  failures: readonly number[]
  /** When those began that are being checked now. A row has no time twice. */
  checking: readonly number[]
  /** The longest window and the largest count of any instance's limits: what the row keeps. Milliseconds. */
  longest_window: number
  largest_count: number
  /** From then on, the row counts nothing. */
  ends_at: number
}

/**
 * A file whose row was deleted by an instance that doesn't have it. The instance with the volume deletes the file, and
 * then this row.
 */
export interface DeletedFileTable {
  volume: string
  /** `recording`, `review`, `export`. */
  kind: string
  /** Of a recording: the path; of a review item or an export: the id. */
  file: string
  start: number
  /** 1: because of its age, or to free space in the object storage; 0: a user deleted it, or that isn't known. */
  by_age: Generated<number>
}

/** A camera that is or was configured. */
export interface CameraTable {
  /** Id of the volume: several instances can share one database. */
  volume: string
  /** Key of the camera's data: the `camera` of other tables. */
  key: CameraKey
  name: string
  /** A hash of the source without credentials; empty if unknown. */
  source: string
  added_at: number
  /** null: the camera is configured. */
  removed_at: number | null
  /** JSON: roles that listed the camera's name before it was added, and don't grant it. */
  withheld: string
}

/** A role that lists a name that no camera has. */
export interface CameraListingTable {
  volume: string
  name: string
  role: string
}

/** Data about the database itself. */
export interface MetaTable {
  key: string
  value: string
}

export interface MigrationTable {
  name: string
  done_at: number
}
