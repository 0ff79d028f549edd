// Generated from the English messages by `npm run docs`.

/** The messages of each catalog: a string, or a function of its parameters. */
export interface Catalogs {
  readonly access: {
    readonly access: {
      readonly lead: string
      readonly tryTitle: string
      readonly tryLead: string
      readonly kind: string
      readonly kinds: {
        readonly user: string
        readonly token: string
        readonly screen: string
        readonly link: string
        readonly headers: string
      }
      readonly user: string
      readonly userHint: string
      readonly noUser: string
      readonly token: string
      readonly tokenHint: string
      readonly noTokens: string
      readonly ownedBy: (values: { readonly name: string; readonly owner: string }) => string
      readonly fromProvider: (values: { readonly host: string; readonly name: string }) => string
      readonly screen: string
      readonly screenHint: string
      readonly noScreens: string
      readonly link: string
      readonly linkHint: string
      readonly noLinks: string
      readonly headers: string
      readonly headersHint: string
      readonly headersEmpty: string
      readonly notAHeader: (values: { readonly line: number }) => string
      readonly submit: string
      readonly at: string
      readonly atHint: (values: { readonly zone: string }) => string
      readonly outcome: string
      readonly role: (values: { readonly role: string; readonly user: string }) => string
      readonly noRole: (values: { readonly user: string }) => string
      readonly isScreen: (values: { readonly user: string }) => string
      readonly refused: string
      readonly unauthenticated: string
      readonly reason: string
      readonly suspended: {
        readonly hours: string
        readonly 'not-yet': string
        readonly over: string
        readonly 'enrollment-required': string
      }
      readonly oldest: (values: { readonly age: string }) => string
      readonly onlyRange: (values: { readonly range: string }) => string
      readonly sees: (values: { readonly count: number }) => string
      readonly permissions: string
      readonly noPermissions: string
      readonly more: (values: { readonly count: number }) => string
      readonly actions: {
        readonly live: string
        readonly audio: string
        readonly history: string
        readonly review: string
        readonly export: string
        readonly download: string
        readonly share: string
        readonly delete: string
        readonly 'users.manage': string
        readonly 'roles.manage': string
        readonly 'sessions.manage': string
        readonly 'tokens.manage': string
        readonly 'screens.manage': string
        readonly 'links.manage': string
        readonly 'cameras.manage': string
        readonly 'config.manage': string
        readonly 'exports.manage': string
        readonly 'access.try': string
        readonly 'audit.read': string
        readonly 'log.read': string
        readonly 'system.read': string
      }
      readonly tableTitle: string
      readonly tableLead: string
      readonly invalid: { readonly 'not-yet': string; readonly over: string }
      readonly table: string
      readonly rows: string
      readonly roles: string
      readonly users: string
      readonly camera: string
      readonly anyCamera: string
      readonly print: string
      readonly count: (values: { readonly all: number; readonly filtered: boolean; readonly shown: number }) => string
      readonly yes: string
      readonly no: string
      readonly noMatchTitle: string
      readonly noMatch: string
      readonly noCameras: string
      readonly clear: string
    }
    readonly accessRules: {
      readonly 'given-by-admin': string
      readonly 'user-disabled': string
      readonly 'user-expired': string
      readonly 'user-not-accepted': string
      readonly 'chosen-for-screen': string
      readonly 'screen-over': string
      readonly 'within-token': string
      readonly 'token-over': string
      readonly 'given-by-provider': string
      readonly 'within-link': string
      readonly 'link-over': string
      readonly 'group-gives-role': (values: { readonly group: string; readonly role: string }) => string
      readonly 'header-names-role': (values: { readonly role: string }) => string
      readonly 'group-none-default': string
      readonly 'header-none-default': string
      readonly 'group-none': string
      readonly 'header-none': string
      readonly 'group-none-default-gone': (values: { readonly role: string }) => string
      readonly 'header-none-default-gone': (values: { readonly role: string }) => string
      readonly 'header-empty-default': string
      readonly 'header-empty': string
      readonly 'header-empty-default-gone': (values: { readonly role: string }) => string
      readonly 'untrusted-peer': string
      readonly 'wrong-secret': string
      readonly 'user-header-twice': string
      readonly 'display-name-header-twice': string
      readonly 'signs-in-here': string
      readonly 'user-header-missing': string
      readonly 'user-header-invalid': string
      readonly 'role-header-twice': string
      readonly 'role-header-missing': string
    }
  }
  readonly account: {
    readonly password: {
      readonly title: string
      readonly lead: string
      readonly current: string
      readonly next: string
      readonly submit: string
      readonly changed: string
      readonly wrong: string
      readonly missing: string
      readonly byProxy: string
      readonly inside: string
      readonly advice: {
        readonly empty: string
        readonly short: (values: { readonly missing: number }) => string
        readonly long: string
        readonly userName: string
        readonly containsName: string
        readonly repeated: string
        readonly sequence: string
        readonly fine: string
        readonly good: string
        readonly control: string
      }
    }
    readonly provider: {
      readonly title: string
      readonly lead: (values: { readonly name: string }) => string
      readonly body: string
      readonly sessions: (values: { readonly name: string }) => string
    }
    readonly sessions: {
      readonly title: string
      readonly lead: string
      readonly current: string
      readonly seen: (values: { readonly when: string }) => string
      readonly since: (values: { readonly when: string }) => string
      readonly end: string
      readonly endOf: (values: { readonly device: string; readonly when: string }) => string
      readonly endOthers: string
      readonly ended: string
      readonly othersEnded: string
      readonly endOthersTitle: string
      readonly endOthersBody: string
      readonly unknownDevice: string
      readonly device: (values: { readonly browser: string; readonly system: string }) => string
      readonly program: (values: { readonly name: string }) => string
    }
    readonly accountSections: {
      readonly profile: string
      readonly security: string
      readonly activity: string
      readonly tokens: string
      readonly links: string
    }
    readonly activity: {
      readonly title: string
      readonly lead: string
      readonly onTitle: string
      readonly on: (values: { readonly days: number }) => string
      readonly offTitle: string
      readonly off: (values: { readonly days: number }) => string
      readonly camera: string
      readonly anyCamera: string
      readonly noneTitle: string
      readonly none: string
      readonly list: (values: { readonly day: string }) => string
      readonly more: string
      readonly end: string
      readonly manyCameras: string
      readonly lasted: (values: { readonly time: string }) => string
      readonly by: (values: { readonly name: string }) => string
      readonly actions: {
        readonly watch: string
        readonly playback: string
        readonly download: string
        readonly snapshot: string
      }
      readonly from: (values: { readonly address: string }) => string
      readonly sums: {
        readonly title: string
        readonly time: (values: { readonly count: number; readonly time: string }) => string
        readonly fact: (values: { readonly amount: string; readonly what: string }) => string
        readonly columns: {
          readonly watched: string
          readonly played: string
          readonly snapshots: string
          readonly downloads: string
        }
        readonly all: (values: { readonly count: number }) => string
        readonly removed: (values: { readonly name: string }) => string
      }
    }
  }
  readonly audit: {
    readonly audit: {
      readonly lead: string
      readonly user: string
      readonly userHint: string
      readonly action: string
      readonly anyAction: string
      readonly result: string
      readonly anyResult: string
      readonly results: { readonly success: string; readonly denied: string; readonly failure: string }
      readonly period: string
      readonly periods: {
        readonly all: string
        readonly hour: string
        readonly day: string
        readonly week: string
        readonly month: string
        readonly chosen: string
      }
      readonly from: string
      readonly to: string
      readonly refresh: string
      readonly list: string
      readonly noneTitle: string
      readonly none: string
      readonly clear: string
      readonly more: string
      readonly end: string
      readonly service: string
      readonly unauthenticated: string
      readonly by: {
        readonly password: string
        readonly proxy: string
        readonly internal: string
        readonly oidc: string
        readonly token: string
        readonly screen: string
        readonly link: string
        readonly command: string
      }
      readonly byNamed: {
        readonly token: (values: { readonly name: string }) => string
        readonly screen: (values: { readonly name: string }) => string
        readonly link: (values: { readonly name: string }) => string
        readonly command: (values: { readonly name: string }) => string
      }
      readonly fromAddress: (values: { readonly address: string }) => string
      readonly fromMany: string
      readonly times: (values: { readonly count: number }) => string
      readonly lasted: (values: { readonly time: string }) => string
      readonly recorded: (values: { readonly range: string }) => string
      readonly viewing: string
      readonly actions: {
        readonly login: string
        readonly logout: string
        readonly 'request.denied': string
        readonly 'user.create': string
        readonly 'user.delete': string
        readonly 'user.role': string
        readonly 'user.status': string
        readonly 'user.password': string
        readonly 'user.reassign': string
        readonly 'role.set': string
        readonly 'role.delete': string
        readonly 'camera-group.set': string
        readonly 'camera-group.delete': string
        readonly 'role.missing': string
        readonly 'role.confirm': string
        readonly 'session.revoke': string
        readonly 'token.create': string
        readonly 'token.revoke': string
        readonly 'factor.add': string
        readonly 'factor.rename': string
        readonly 'factor.remove': string
        readonly 'factor.reset': string
        readonly 'recovery-code.use': string
        readonly 'recovery-code.renew': string
        readonly 'device.remember': string
        readonly 'device.revoke': string
        readonly 'account.confirm': string
        readonly 'screen.create': string
        readonly 'screen.connect': string
        readonly 'screen.change': string
        readonly 'screen.revoke': string
        readonly 'invitation.create': string
        readonly 'invitation.accept': string
        readonly 'invitation.revoke': string
        readonly 'password-reset.create': string
        readonly 'password-reset.accept': string
        readonly 'password-reset.revoke': string
        readonly 'link.create': string
        readonly 'link.revoke': string
        readonly 'link.open': string
        readonly 'recordings.delete': string
        readonly 'review.delete': string
        readonly 'camera.create': string
        readonly 'camera.change': string
        readonly 'camera.delete': string
        readonly 'camera.motion': string
        readonly 'camera.move': string
        readonly 'instance.drain': string
        readonly 'instance.undrain': string
        readonly 'recording.limits': string
        readonly 'config.save': string
        readonly 'config.apply': string
        readonly 'export.create': string
        readonly 'export.rename': string
        readonly 'export.cancel': string
        readonly 'export.delete': string
        readonly watch: string
        readonly playback: string
        readonly download: string
        readonly snapshot: string
        readonly 'config.read': string
        readonly 'camera.test': string
        readonly 'internal.use': string
      }
      readonly details: {
        readonly 'request.denied': { readonly 'bad-token': string; readonly 'revoked-token': string }
        readonly 'screen.create': { readonly 'wrong-pairing-code': string }
        readonly 'invitation.accept': {
          readonly 'one-time-link-wrong': string
          readonly 'one-time-link-used': string
          readonly 'one-time-link-expired': string
          readonly 'one-time-link-ended': string
        }
        readonly 'password-reset.accept': {
          readonly 'one-time-link-wrong': string
          readonly 'one-time-link-used': string
          readonly 'one-time-link-expired': string
          readonly 'one-time-link-ended': string
        }
        readonly 'link.open': { readonly 'wrong-link': string; readonly 'wrong-link-code': string }
        readonly 'user.create': { readonly 'at-start': string }
        readonly 'user.password': { readonly 'at-start': string }
        readonly 'session.revoke': {
          readonly 'other-sessions': string
          readonly 'provider-denied': string
          readonly 'provider-unavailable': string
          readonly 'provider-changed': string
          readonly 'no-role': string
        }
        readonly logout: { readonly provider: string }
        readonly login: {
          readonly 'second-factor': string
          readonly totp: string
          readonly passkey: string
          readonly 'recovery-code': string
          readonly 'remembered-device': string
          readonly 'provider-unavailable': string
          readonly 'provider-denied': string
          readonly 'sign-in-expired': string
          readonly 'no-role': string
        }
      }
      readonly owner: string
      readonly linkKinds: { readonly live: string; readonly history: string; readonly export: string }
      readonly note: string
      readonly change: (values: { readonly name: string; readonly value: string }) => string
      readonly status: {
        readonly disabled: string
        readonly enabled: string
        readonly expires: (values: { readonly when: string }) => string
        readonly noExpiry: string
      }
      readonly values: { readonly on: string; readonly off: string; readonly default: string }
      readonly fields: {
        readonly name: string
        readonly cameras: string
        readonly audio: string
        readonly layout: string
        readonly enabled: string
        readonly sensitivity: string
        readonly masks: string
        readonly mode: string
        readonly retain_days: string
        readonly max_gb: string
      }
      readonly export: string
      readonly exporting: (values: { readonly count: number }) => string
      readonly exported: (values: { readonly count: number }) => string
      readonly exportFailed: string
      readonly columns: {
        readonly at: string
        readonly user: string
        readonly auth_method: string
        readonly credentialId: string
        readonly credential: string
        readonly address: string
        readonly action: string
        readonly description: string
        readonly target: string
        readonly result: string
        readonly detail: string
        readonly count: string
        readonly duration: string
        readonly start: string
        readonly end: string
      }
      readonly camera: string
      readonly anyCamera: string
      readonly view: string
      readonly views: { readonly list: string; readonly users: string; readonly cameras: string }
      readonly sums: {
        readonly lead: string
        readonly order: string
        readonly orders: {
          readonly time: string
          readonly downloads: string
          readonly exports: string
          readonly shares: string
          readonly name: string
        }
        readonly labels: { readonly users: string; readonly cameras: string }
        readonly columns: {
          readonly watched: string
          readonly played: string
          readonly snapshots: string
          readonly downloads: string
          readonly exports: string
          readonly shares: string
        }
        readonly seconds: (values: { readonly column: string }) => string
        readonly noName: { readonly users: string; readonly cameras: string }
        readonly removed: string
        readonly noneTitle: string
        readonly none: string
        readonly offTitle: string
        readonly off: (values: { readonly setting: string; readonly value: string }) => string
        readonly openConfig: string
      }
    }
  }
  readonly cameras: {
    readonly cameras: {
      readonly title: string
      readonly lead: string
      readonly list: string
      readonly add: string
      readonly emptyTitle: string
      readonly emptyBody: string
      readonly demos: string
      readonly openConfig: string
      readonly states: {
        readonly online: string
        readonly connecting: string
        readonly offline: string
        readonly disabled: string
      }
      readonly snapshot: (values: { readonly title: string }) => string
      readonly noSnapshot: string
      readonly fps: (values: { readonly rate: number }) => string
      readonly source: string
      readonly unknownSource: string
      readonly roles: (values: { readonly roles: string }) => string
      readonly edit: string
      readonly editOf: (values: { readonly title: string }) => string
      readonly live: string
      readonly liveOf: (values: { readonly title: string }) => string
      readonly motion: string
      readonly motionOf: (values: { readonly title: string }) => string
      readonly remove: string
      readonly removeOf: (values: { readonly title: string }) => string
      readonly removeTitle: (values: { readonly title: string }) => string
      readonly removeBody: string
      readonly removeRecordings: string
      readonly removeRoles: (values: { readonly roles: string }) => string
      readonly removeOnly: (values: { readonly roles: string }) => string
      readonly removed: (values: { readonly title: string }) => string
      readonly removeChanged: string
      readonly form: {
        readonly add: string
        readonly edit: (values: { readonly title: string }) => string
        readonly source: string
        readonly sourceHelp: string
        readonly sourceReplace: string
        readonly sourceKeep: string
        readonly sourceMasked: string
        readonly name: string
        readonly nameHelp: string
        readonly nameChanged: (values: { readonly roles: string }) => string
        readonly used: {
          readonly title: (values: { readonly name: string }) => string
          readonly removed: (values: { readonly when: string }) => string
          readonly listedOnly: string
          readonly recordings: (values: {
            readonly newest: string
            readonly oldest: string
            readonly size: string
          }) => string
          readonly items: (values: { readonly count: number }) => string
          readonly exports: (values: { readonly count: number }) => string
          readonly roles: (values: { readonly roles: string }) => string
          readonly role: (values: { readonly name: string; readonly users: number }) => string
          readonly inherit: string
          readonly inheritHelp: string
        }
        readonly title: string
        readonly titleHelp: string
        readonly enabled: string
        readonly enabledHelp: string
        readonly keepDemos: string
        readonly save: string
        readonly sourceMissing: string
        readonly nameMissing: string
        readonly nameWrong: string
        readonly nameTaken: string
        readonly changedMeanwhile: string
        readonly others: string
        readonly added: (values: { readonly title: string }) => string
        readonly saved: (values: { readonly title: string }) => string
      }
      readonly secret: {
        readonly title: string
        readonly body: string
        readonly use: string
        readonly how: (values: { readonly name: string }) => string
      }
      readonly test: {
        readonly start: string
        readonly again: string
        readonly lead: string
        readonly running: (values: { readonly seconds: string }) => string
        readonly progress: string
        readonly value: (values: { readonly name: string }) => string
        readonly valueHelp: string
        readonly works: string
        readonly failed: string
        readonly snapshot: string
        readonly hevc: string
        readonly hints: {
          readonly credentials: string
          readonly access: string
          readonly path: string
          readonly port: string
          readonly silent: string
          readonly host: string
          readonly video: string
          readonly file: string
          readonly ffmpeg: string
        }
      }
    }
  }
  readonly common: {
    readonly name: string
    readonly pageTitle: (values: { readonly page: string }) => string
    readonly sentences: (values: { readonly next: string; readonly text: string }) => string
    readonly label: (values: { readonly what: string }) => string
    readonly partsSeparator: string
    readonly listSeparator: string
    readonly loading: string
    readonly tryAgain: string
    readonly close: string
    readonly copy: string
    readonly copied: string
    readonly cancel: string
    readonly incompleteTime: string
    readonly skipToContent: string
    readonly mainMenu: string
    readonly menu: {
      readonly live: string
      readonly history: string
      readonly review: string
      readonly exports: string
      readonly settings: string
      readonly unseenAlerts: (values: { readonly count: number }) => string
    }
    readonly failure: {
      readonly title: string
      readonly network: string
      readonly busy: string
      readonly unavailable: string
      readonly unavailableTitle: string
      readonly later: string
      readonly unexpected: string
      readonly stale: string
      readonly page: string
      readonly reload: string
      readonly elsewhere: string
      readonly elsewhereGo: string
    }
    readonly denied: { readonly title: string; readonly body: string; readonly home: string }
    readonly suspended: {
      readonly title: {
        readonly hours: string
        readonly 'not-yet': string
        readonly over: string
        readonly 'enrollment-required': string
      }
      readonly begins: string
      readonly enroll: string
    }
    readonly noLive: { readonly title: string; readonly body: string }
    readonly notFound: { readonly title: string; readonly body: string; readonly home: string }
    readonly language: {
      readonly label: string
      readonly auto: (values: { readonly name: string }) => string
      readonly failed: string
    }
    readonly offline: { readonly title: string; readonly body: string; readonly again: string }
    readonly account: {
      readonly page: string
      readonly menu: (values: { readonly name: string; readonly role: string }) => string
      readonly role: string
      readonly open: string
      readonly appearance: string
      readonly appearanceLead: string
      readonly theme: string
      readonly light: string
      readonly dark: string
      readonly auto: string
      readonly signOut: string
      readonly signOutFailed: string
      readonly cameras: (values: { readonly count: number }) => string
      readonly byProxy: string
      readonly unnamedProvider: string
      readonly internalPort: string
    }
    readonly exportTray: {
      readonly open: (values: { readonly count: number; readonly percent: string }) => string
      readonly title: string
      readonly all: string
      readonly ready: (values: { readonly name: string }) => string
      readonly failed: (values: { readonly name: string }) => string
      readonly show: string
      readonly progress: (values: { readonly name: string }) => string
      readonly queued: string
    }
    readonly refusals: {
      readonly 'invalid-request': string
      readonly 'unsafe-path': string
      readonly 'login-failed': string
      readonly 'second-factor-required': string
      readonly 'confirm-required': string
      readonly 'wrong-second-factor': string
      readonly 'login-expired': string
      readonly 'passkey-not-accepted': string
      readonly 'passkey-exists': string
      readonly 'no-passkeys-here': string
      readonly 'no-such-factor': string
      readonly 'factor-required': string
      readonly 'factors-elsewhere': string
      readonly 'wrong-totp-code': string
      readonly unauthenticated: string
      readonly forbidden: string
      readonly 'cross-origin': string
      readonly 'wrong-password': string
      readonly 'not-found': string
      readonly 'method-not-allowed': string
      readonly 'upgrade-required': string
      readonly conflict: string
      readonly gone: string
      readonly 'precondition-failed': string
      readonly 'precondition-required': string
      readonly 'too-large': string
      readonly 'unsupported-media-type': string
      readonly misdirected: string
      readonly 'too-many-attempts': string
      readonly busy: string
      readonly unavailable: string
      readonly 'no-space': string
      readonly internal: string
      readonly 'serves-no-users': string
      readonly 'no-role-from-proxy': string
      readonly 'role-deleted': string
      readonly 'outside-hours': string
      readonly 'role-not-yet-valid': string
      readonly 'role-expired': string
      readonly 'enrollment-required': string
      readonly 'no-such-user': string
      readonly 'no-such-role': string
      readonly 'no-such-session': string
      readonly 'no-such-token': string
      readonly 'too-many-tokens': (values: { readonly max: number }) => string
      readonly 'no-account': string
      readonly 'no-such-screen': string
      readonly 'too-many-screens': (values: { readonly max: number }) => string
      readonly 'too-many-pairings': string
      readonly 'wrong-pairing-code': string
      readonly 'pairing-over': string
      readonly 'one-time-link-wrong': string
      readonly 'one-time-link-used': string
      readonly 'one-time-link-expired': string
      readonly 'one-time-link-ended': string
      readonly 'no-such-invitation': string
      readonly 'too-many-invitations': (values: { readonly max: number }) => string
      readonly 'no-such-link': string
      readonly 'too-many-links': (values: { readonly max: number }) => string
      readonly 'too-many-viewers': string
      readonly 'link-opened-too-often': string
      readonly 'nothing-to-share': string
      readonly 'export-not-finished': string
      readonly 'wrong-link': string
      readonly 'link-code-required': string
      readonly 'wrong-link-code': string
      readonly 'link-expired': string
      readonly 'link-revoked': string
      readonly 'link-used-up': string
      readonly 'link-locked': string
      readonly 'link-unavailable': string
      readonly 'no-such-camera': string
      readonly 'no-such-camera-group': string
      readonly 'camera-group-in-use': (values: { readonly roles: string }) => string
      readonly 'name-taken': string
      readonly 'camera-name-taken': string
      readonly 'role-name-taken': string
      readonly 'last-admin': string
      readonly 'provider-only': string
      readonly 'provider-user': string
      readonly 'password-changed': string
      readonly 'built-in-role': string
      readonly 'proxy-auth-enabled': string
      readonly 'proxy-secret-required': string
      readonly 'https-required': string
      readonly 'invalid-logout-token': string
      readonly 'login-queue-full': string
      readonly 'no-password-check': string
      readonly 'connection-test-busy': string
      readonly 'snapshot-queue-full': string
      readonly 'too-many-mjpeg-streams': string
      readonly 'no-frame': string
      readonly 'segment-expired': string
      readonly 'instance-unreachable': string
      readonly 'recordings-disk-missing': string
      readonly 'nothing-recorded': string
      readonly 'recording-deleted': string
      readonly 'recording-unreachable': string
      readonly 'no-thumbnail': string
      readonly 'video-format-changed': string
      readonly 'audio-format-changed': string
      readonly 'export-limit-own': (values: {
        readonly left: string
        readonly limit: string
        readonly needed: string
      }) => string
      readonly 'export-limit-all': (values: {
        readonly hasLeft: boolean
        readonly left: string
        readonly limit: string
        readonly needed: string
      }) => string
      readonly 'export-no-space': (values: {
        readonly free: string
        readonly hasFree: boolean
        readonly needed: string
      }) => string
      readonly 'too-many-exports': (values: { readonly max: number }) => string
      readonly 'too-many-own-exports': (values: { readonly max: number }) => string
      readonly 'too-many-streams': (values: { readonly max: number }) => string
      readonly 'too-many-streams-of-kind': (values: { readonly max: number }) => string
      readonly 'too-many-own-changes': string
      readonly 'too-many-export-changes': string
      readonly 'no-such-export': string
      readonly 'export-not-done': string
      readonly 'export-ended': string
      readonly 'export-file-missing': string
      readonly 'exports-disk-missing': string
      readonly 'database-unavailable': string
      readonly 'instance-other-protocol': string
      readonly 'no-such-instance': string
      readonly 'instance-gets-no-camera': (values: { readonly instance: string }) => string
      readonly 'instance-without-labels': (values: { readonly instance: string; readonly labels: string }) => string
      readonly 'no-authority': string
      readonly 'config-problems': (values: { readonly count: number }) => string
      readonly 'orphaned-roles': (values: { readonly roles: string; readonly users: string }) => string
      readonly 'config-not-editable': string
      readonly 'config-not-active': string
      readonly 'config-not-applied': string
      readonly 'config-not-read': (values: { readonly error: string }) => string
      readonly 'config-not-written': (values: { readonly error: string }) => string
      readonly 'disk-full': (values: { readonly error: string }) => string
      readonly 'config-changed': string
      readonly 'role-changed': string
      readonly 'confirmation-not-needed': string
    }
    readonly problems: {
      readonly missing: string
      readonly 'unknown-field': string
      readonly repeated: string
      readonly 'before-start': string
      readonly 'span-too-long': (values: { readonly hours: number }) => string
      readonly 'in-future': string
      readonly 'in-past': string
      readonly 'expires-too-late': (values: { readonly hours: number }) => string
      readonly 'wrong-type': string
      readonly 'not-one-of': (values: { readonly allowed: string }) => string
      readonly 'too-short': (values: { readonly min: number }) => string
      readonly 'too-long': (values: { readonly max: number }) => string
      readonly 'too-few': (values: { readonly min: number }) => string
      readonly 'too-many': (values: { readonly max: number }) => string
      readonly 'too-small': (values: { readonly min: number }) => string
      readonly 'too-large': (values: { readonly max: number }) => string
      readonly 'invalid-format': string
      readonly invalid: string
      readonly 'masked-source': string
      readonly 'user-or-others': string
      readonly 'one-caller': string
      readonly 'ids-or-filter': string
      readonly 'no-cursor': string
      readonly 'no-time-zone': string
      readonly 'invalid-username': string
      readonly 'no-letter': string
      readonly 'reserved-name': string
      readonly 'invalid-role-name': string
      readonly 'built-in-name': string
      readonly 'reserved-word': string
      readonly 'differs-in-case': (values: { readonly other: string }) => string
      readonly 'no-such-role': (values: { readonly roles: string }) => string
      readonly 'no-such-camera': (values: { readonly camera: string }) => string
      readonly 'given-password': string
      readonly 'not-for-own': string
      readonly 'printed-password': string
      readonly 'too-many-bytes': (values: { readonly max: number }) => string
      readonly 'control-character': string
      readonly 'is-user-name': string
      readonly 'service-words': string
      readonly 'common-password': string
      readonly 'invalid-source': string
      readonly 'unknown-demo-scene': string
      readonly 'protocol-not-allowed': string
      readonly 'incomplete-url': string
      readonly 'invalid-path': string
      readonly 'outside-media': string
    }
  }
  readonly config: {
    readonly config: {
      readonly title: string
      readonly lead: string
      readonly sharedLead: (values: { readonly sections: string }) => string
      readonly editor: string
      readonly keys: string
      readonly secrets: string
      readonly versions: string
      readonly version: (values: { readonly number: number }) => string
      readonly review: string
      readonly discard: string
      readonly discardTitle: string
      readonly discardBody: string
      readonly unsaved: string
      readonly unchanged: string
      readonly changed: string
      readonly changedMeanwhile: string
      readonly compare: string
      readonly problems: string
      readonly checking: string
      readonly fine: string
      readonly problemCount: (values: { readonly count: number }) => string
      readonly warningCount: (values: { readonly count: number }) => string
      readonly line: (values: { readonly line: number }) => string
      readonly problem: string
      readonly warning: string
      readonly saveTitle: string
      readonly saveLead: string
      readonly saveLeadNarrow: string
      readonly saveShared: string
      readonly save: string
      readonly toEditor: string
      readonly active: string
      readonly yours: string
      readonly fixFirst: string
      readonly orphans: {
        readonly title: (values: { readonly count: number }) => string
        readonly body: (values: { readonly roles: string }) => string
        readonly saveAnyway: string
      }
      readonly checkWarnings: string
      readonly savedTitle: string
      readonly applied: string
      readonly appliedShared: string
      readonly restart: string
      readonly restartShared: string
      readonly nothingApplied: string
      readonly conflict: {
        readonly title: string
        readonly lead: string
        readonly theirs: string
        readonly mine: string
        readonly take: string
        readonly keep: string
        readonly leadNarrow: string
        readonly continue: string
        readonly continueNarrow: string
        readonly useTheirs: string
        readonly dropTitle: string
        readonly dropBody: string
        readonly closeTitle: string
        readonly closeBody: string
        readonly taken: string
      }
      readonly manual: {
        readonly allowed: (values: { readonly values: string }) => string
        readonly byDefault: (values: { readonly value: string }) => string
        readonly example: (values: { readonly value: string }) => string
      }
      readonly phrases: {
        readonly 'Go to line': string
        readonly go: string
        readonly Find: string
        readonly Replace: string
        readonly next: string
        readonly previous: string
        readonly all: string
        readonly 'match case': string
        readonly 'by word': string
        readonly regexp: string
        readonly replace: string
        readonly 'replace all': string
        readonly close: string
        readonly 'current match': string
        readonly 'on line': string
        readonly 'replaced match on line $': string
        readonly 'replaced $ matches': string
        readonly Diagnostics: string
        readonly 'No diagnostics': string
        readonly Completions: string
        readonly 'Control character': string
        readonly 'Selection deleted': string
        readonly 'Folded lines': string
        readonly 'Unfolded lines': string
        readonly 'Fold line': string
        readonly 'Unfold line': string
        readonly 'folded code': string
        readonly unfold: string
        readonly to: string
        readonly '$ unchanged lines': string
      }
    }
  }
  readonly 'config-problems': {
    readonly configProblems: {
      readonly 'not-utf8': string
      readonly 'control-character-in-file': string
      readonly 'no-keys': string
      readonly 'invalid-yaml': (values: { readonly message: string }) => string
      readonly 'yaml-tag': string
      readonly 'second-document': string
      readonly 'invalid-key': string
      readonly 'duplicate-key': (values: { readonly key: string; readonly line: number }) => string
      readonly 'unknown-key': (values: {
        readonly hasKeys: boolean
        readonly key: string
        readonly keys: string
      }) => string
      readonly 'unknown-key-meant': (values: { readonly key: string; readonly meant: string }) => string
      readonly 'machine-section': (values: { readonly section: string }) => string
      readonly 'unknown-alias': string
      readonly 'too-many-repeats': (values: { readonly max: number }) => string
      readonly 'too-many-problems': (values: { readonly max: number }) => string
      readonly 'key-missing': (values: { readonly allowed: string }) => string
      readonly 'value-empty': (values: { readonly allowed: string; readonly optional: boolean }) => string
      readonly 'invalid-value': (values: {
        readonly allowed: string
        readonly found: string
        readonly hasFound: boolean
        readonly hasMeant: boolean
        readonly meant: string
        readonly quotes: boolean
        readonly shape: string
      }) => string
      readonly 'list-empty': (values: { readonly allowed: string }) => string
      readonly 'unresolved-placeholder': (values: { readonly names: string }) => string
      readonly 'unreadable-credential': (values: { readonly error: string; readonly file: string }) => string
      readonly 'incomplete-placeholder': string
      readonly 'placeholder-not-allowed': (values: { readonly names: string; readonly prefix: string }) => string
      readonly 'placeholder-place': string
      readonly 'host-prefix': string
      readonly 'unsupported-characters': string
      readonly 'reserved-cookie': (values: { readonly name: string }) => string
      readonly 'invalid-camera-name': string
      readonly 'too-few-points': string
      readonly 'invalid-point': string
      readonly 'no-motion-detection': string
      readonly 'unknown-camera': (values: { readonly camera: string }) => string
      readonly 'no-camera-wildcard': string
      readonly 'invalid-camera-group-name': string
      readonly 'invalid-output-name': string
      readonly 'no-effect-on-type': (values: { readonly type: string }) => string
      readonly 'unknown-camera-group': (values: {
        readonly group: string
        readonly hasMeant: boolean
        readonly meant: string
      }) => string
      readonly 'only-empty-camera-groups': string
      readonly 'all-cameras-alone': string
      readonly 'no-hours-between': string
      readonly 'ends-before-start': string
      readonly 'same-port': (values: { readonly port: number }) => string
      readonly 'requires-key': (values: { readonly other: string }) => string
      readonly 'unknown-role': (values: { readonly role: string; readonly roles: string }) => string
      readonly 'invalid-header-name': (values: { readonly header: string }) => string
      readonly 'header-not-trusted': (values: { readonly file: string; readonly header: string }) => string
      readonly 'invalid-secret': string
      readonly 'secret-too-short': (values: { readonly min: number }) => string
      readonly 'no-emergency-user': string
      readonly 'proxy-not-verified': string
      readonly 'no-user-header': string
      readonly 'separator-control': string
      readonly 'trusts-everyone': string
      readonly 'invalid-network': (values: { readonly found: string }) => string
      readonly 'invalid-prefix': (values: { readonly found: string; readonly max: number }) => string
      readonly 'ipv4-as-ipv6': (values: { readonly plainly: string }) => string
    }
    readonly allowed: {
      readonly kinds: {
        readonly boolean: string
        readonly null: string
        readonly text: string
        readonly 'some-text': string
        readonly names: string
        readonly keys: string
        readonly integer: string
        readonly number: string
        readonly 'rate-limit': string
        readonly 'cookie-name': string
        readonly cameras: string
        readonly 'group-cameras': string
        readonly 'camera-source': string
        readonly database: string
        readonly 'base-path': string
        readonly 'frame-ancestor': string
        readonly origin: string
        readonly host: string
        readonly 'host-name': string
        readonly 'trusted-header': string
        readonly secret: string
        readonly networks: string
        readonly network: string
        readonly role: string
        readonly link: string
        readonly issuer: string
        readonly file: string
        readonly polygons: string
        readonly 'role-cameras': string
        readonly 'time-of-day': string
        readonly moment: string
        readonly 'time-zone': string
        readonly 'audit-file': string
        readonly 'syslog-address': string
        readonly 'syslog-app-name': string
        readonly 'instance-address': string
        readonly label: string
        readonly 'access-key': string
        readonly 's3-endpoint': string
        readonly 's3-region': string
        readonly 's3-bucket': string
        readonly 's3-prefix': string
      }
      readonly range: {
        readonly between: (values: { readonly max: string; readonly min: string }) => string
        readonly min: (values: { readonly min: string }) => string
        readonly above: (values: { readonly above: string }) => string
      }
      readonly list: (values: { readonly each: string }) => string
      readonly orNull: (values: { readonly form: string }) => string
    }
  }
  readonly exports: {
    readonly exports: {
      readonly lead: string
      readonly recentLead: (values: { readonly age: string }) => string
      readonly usage: {
        readonly own: (values: { readonly used: string }) => string
        readonly ownOf: (values: { readonly limit: string; readonly used: string }) => string
        readonly all: (values: { readonly used: string }) => string
        readonly allOf: (values: { readonly limit: string; readonly used: string }) => string
        readonly room: (values: { readonly room: string }) => string
        readonly near: (values: { readonly manages: boolean }) => string
        readonly full: (values: { readonly manages: boolean }) => string
        readonly open: string
      }
      readonly list: string
      readonly camera: string
      readonly allCameras: string
      readonly noneTitle: string
      readonly none: string
      readonly noneOfCamera: string
      readonly showAll: string
      readonly toHistory: string
      readonly more: string
      readonly by: (values: { readonly name: string }) => string
      readonly byMe: string
      readonly less: (values: { readonly seconds: string }) => string
      readonly cameraGone: (values: { readonly manages: boolean }) => string
      readonly states: {
        readonly queued: string
        readonly running: string
        readonly done: string
        readonly failed: string
      }
      readonly queued: string
      readonly running: (values: { readonly percent: string }) => string
      readonly play: string
      readonly playOne: (values: { readonly name: string }) => string
      readonly download: string
      readonly downloadOne: (values: { readonly name: string }) => string
      readonly share: string
      readonly shareOne: (values: { readonly name: string }) => string
      readonly rename: string
      readonly renameTitle: string
      readonly name: string
      readonly nameHint: string
      readonly save: string
      readonly cancel: string
      readonly canceled: (values: { readonly name: string }) => string
      readonly delete: string
      readonly deleteTitle: (values: { readonly name: string }) => string
      readonly deleteBody: string
      readonly deleted: (values: { readonly name: string }) => string
      readonly alreadyGone: (values: { readonly name: string }) => string
      readonly gone: string
      readonly again: string
      readonly started: (values: { readonly name: string }) => string
      readonly inHistory: string
      readonly unknownReason: string
      readonly help: {
        readonly 'recording-deleted': string
        readonly 'nothing-recorded': string
        readonly 'video-format-changed': string
        readonly 'audio-format-changed': string
        readonly 'disk-full': string
        readonly 'limit-reached': string
        readonly 'disk-error': string
        readonly 'muxing-failed': string
        readonly 'too-many-interruptions': string
        readonly 'took-too-long': string
        readonly 'file-missing': string
      }
    }
    readonly exportReasons: {
      readonly canceled: string
      readonly 'recording-deleted': string
      readonly 'nothing-recorded': string
      readonly 'video-format-changed': string
      readonly 'audio-format-changed': string
      readonly 'disk-full': string
      readonly 'limit-reached': string
      readonly 'disk-error': string
      readonly 'muxing-failed': string
      readonly 'too-many-interruptions': string
      readonly 'took-too-long': string
      readonly 'file-missing': string
    }
  }
  readonly grants: {
    readonly grants: {
      readonly gives: (values: { readonly cameras: string; readonly deeds: string }) => string
      readonly allCameras: string
      readonly group: (values: { readonly name: string }) => string
      readonly more: (values: { readonly count: number }) => string
      readonly deeds: {
        readonly none: string
        readonly live: string
        readonly liveWithSound: string
        readonly audio: string
        readonly history: string
        readonly lastDays: (values: { readonly days: number }) => string
        readonly upTo: (values: { readonly age: string }) => string
        readonly review: string
        readonly export: string
        readonly download: string
        readonly share: string
        readonly delete: string
      }
      readonly notOlder: (values: { readonly age: string }) => string
      readonly noLimits: string
      readonly hours: (values: { readonly spans: string }) => string
      readonly span: {
        readonly day: (values: { readonly days: string; readonly from: string; readonly to: string }) => string
        readonly overnight: (values: { readonly days: string; readonly from: string; readonly to: string }) => string
        readonly allDay: (values: { readonly days: string }) => string
        readonly days: (values: { readonly first: string; readonly last: string }) => string
        readonly everyDay: string
      }
      readonly valid: {
        readonly between: (values: { readonly from: string; readonly until: string }) => string
        readonly from: (values: { readonly from: string }) => string
        readonly until: (values: { readonly until: string }) => string
      }
      readonly form: {
        readonly summary: string
        readonly cameras: {
          readonly all: string
          readonly allHint: string
          readonly groups: string
          readonly group: (values: { readonly name: string }) => string
          readonly inGroup: string
          readonly count: (values: { readonly count: number }) => string
        }
        readonly actionsTitle: string
        readonly actionsLead: string
        readonly noAction: string
        readonly actions: {
          readonly live: { readonly name: string; readonly hint: string }
          readonly audio: { readonly name: string; readonly hint: string }
          readonly history: { readonly name: string; readonly hint: string }
          readonly review: { readonly name: string; readonly hint: string }
          readonly export: { readonly name: string; readonly hint: string }
          readonly download: { readonly name: string; readonly hint: string }
          readonly share: { readonly name: string; readonly hint: string }
          readonly delete: { readonly name: string; readonly hint: string }
        }
        readonly historyTitle: string
        readonly historyLead: string
        readonly anyAge: string
        readonly lastDays: string
        readonly days: string
        readonly daysMissing: string
        readonly hoursTitle: string
        readonly hoursLead: string
        readonly always: string
        readonly limited: string
        readonly addHours: string
        readonly removeHours: (values: { readonly number: number }) => string
        readonly span: (values: { readonly number: number }) => string
        readonly weekdays: string
        readonly from: string
        readonly to: string
        readonly overnight: string
        readonly noDays: string
        readonly noTime: string
        readonly validTitle: string
        readonly validLead: (values: { readonly zone: string }) => string
        readonly validFrom: string
        readonly validUntil: string
        readonly noLimit: string
        readonly endsFirst: string
        readonly gains: (values: { readonly count: number; readonly deeds: string }) => string
        readonly loses: (values: { readonly count: number; readonly deeds: string }) => string
        readonly times: (values: { readonly count: number }) => string
        readonly before: string
        readonly after: string
      }
    }
  }
  readonly history: {
    readonly history: {
      readonly camera: string
      readonly cameras: (values: { readonly count: number }) => string
      readonly max: (values: { readonly max: number }) => string
      readonly someMissing: string
      readonly beforeLimit: (values: { readonly age: string }) => string
      readonly yours: string
      readonly recordingOf: (values: { readonly title: string }) => string
      readonly day: string
      readonly today: string
      readonly chooseDay: (values: { readonly shown: string }) => string
      readonly dayRecorded: (values: { readonly date: string }) => string
      readonly previousDay: string
      readonly nextDay: string
      readonly previousMonth: string
      readonly nextMonth: string
      readonly previousYear: string
      readonly nextYear: string
      readonly timeline: string
      readonly nothingHere: string
      readonly unavailableHere: string
      readonly unavailableTile: string
      readonly unavailable: string
      readonly unavailableDay: string
      readonly now: string
      readonly controls: string
      readonly play: string
      readonly pause: string
      readonly back: string
      readonly forward: string
      readonly previousMotion: string
      readonly nextMotion: string
      readonly speed: string
      readonly times: (values: { readonly rate: string }) => string
      readonly zoomIn: string
      readonly zoomOut: string
      readonly mark: string
      readonly marked: string
      readonly unmark: string
      readonly markStart: string
      readonly markEnd: string
      readonly from: string
      readonly to: string
      readonly name: string
      readonly namePlaceholder: string
      readonly export: string
      readonly download: string
      readonly share: string
      readonly downloadFive: string
      readonly exportHint: string
      readonly recentExportHint: (values: { readonly age: string; readonly downloads: boolean }) => string
      readonly exportStarted: string
      readonly skipped: (values: { readonly lasting: string }) => string
      readonly caughtUp: string
      readonly noMore: string
      readonly nothingThatDay: string
      readonly nothingToday: string
      readonly recordingOff: (values: { readonly cameras: number }) => string
      readonly toStorage: string
      readonly earlier: (values: { readonly date: string }) => string
      readonly later: (values: { readonly date: string }) => string
    }
  }
  readonly instances: {
    readonly instances: {
      readonly lead: string
      readonly label: string
      readonly noneTitle: string
      readonly none: string
      readonly noAddressTitle: string
      readonly noAddress: (values: { readonly names: string }) => string
      readonly current: string
      readonly states: {
        readonly running: string
        readonly draining: string
        readonly drained: string
        readonly away: string
      }
      readonly means: {
        readonly running: string
        readonly draining: (values: { readonly count: number; readonly since: string }) => string
        readonly drained: (values: { readonly since: string }) => string
        readonly away: (values: { readonly since: string }) => string
      }
      readonly otherProtocol: string
      readonly unreachable: string
      readonly configOutdated: string
      readonly clock: {
        readonly ahead: (values: { readonly by: string }) => string
        readonly behind: (values: { readonly by: string }) => string
      }
      readonly cameras: string
      readonly ofCapacity: (values: { readonly count: string; readonly max: string }) => string
      readonly load: string
      readonly cpu: (values: { readonly cpu: string }) => string
      readonly memory: (values: { readonly memory: string }) => string
      readonly disk: (values: { readonly free: string }) => string
      readonly unknown: string
      readonly jobs: string
      readonly job: { readonly gate: string; readonly recorder: string; readonly both: string }
      readonly allCameras: string
      readonly labels: string
      readonly noLabels: string
      readonly version: string
      readonly seen: string
      readonly address: string
      readonly noAddressSet: string
      readonly drain: string
      readonly drainOf: (values: { readonly name: string }) => string
      readonly drainTitle: (values: { readonly name: string }) => string
      readonly drainBody: string
      readonly drainAlone: string
      readonly drainStarted: (values: { readonly name: string }) => string
      readonly reuse: string
      readonly reuseOf: (values: { readonly name: string }) => string
      readonly usedAgain: (values: { readonly name: string }) => string
      readonly camerasLead: string
      readonly search: string
      readonly noCameras: string
      readonly noMatch: string
      readonly pulledBy: (values: { readonly name: string }) => string
      readonly pulledByNone: string
      readonly disabled: string
      readonly byHand: string
      readonly moves: (values: { readonly name: string }) => string
      readonly movesLater: (values: { readonly name: string }) => string
      readonly moveOf: (values: { readonly title: string }) => string
      readonly move: string
      readonly instance: string
      readonly automatic: string
      readonly moveHint: string
      readonly withState: (values: { readonly name: string; readonly state: string }) => string
      readonly full: string
      readonly lacks: (values: { readonly count: number; readonly labels: string }) => string
      readonly moved: (values: { readonly name: string; readonly title: string }) => string
      readonly movedAutomatic: (values: { readonly title: string }) => string
    }
  }
  readonly links: {
    readonly links: {
      readonly title: string
      readonly lead: string
      readonly leadAll: string
      readonly list: string
      readonly noneTitle: string
      readonly none: string
      readonly noneOfAll: string
      readonly noneOf: (values: { readonly name: string }) => string
      readonly owner: string
      readonly allOwners: string
      readonly showAll: string
      readonly by: (values: { readonly name: string }) => string
      readonly kinds: { readonly live: string; readonly history: string; readonly export: string }
      readonly states: {
        readonly active: string
        readonly 'used-up': string
        readonly locked: string
        readonly expired: string
        readonly revoked: string
        readonly unavailable: string
      }
      readonly stateHints: { readonly 'used-up': string; readonly locked: string; readonly unavailable: string }
      readonly opened: (values: { readonly count: number }) => string
      readonly openedOf: (values: { readonly count: number; readonly max: number }) => string
      readonly lastOpened: (values: { readonly when: string }) => string
      readonly expires: (values: { readonly when: string }) => string
      readonly withCode: string
      readonly withDownload: string
      readonly withAudio: string
      readonly viewers: (values: { readonly count: number }) => string
      readonly watching: (values: { readonly count: number }) => string
      readonly revoke: string
      readonly revokeOne: (values: { readonly title: string }) => string
      readonly revokeTitle: (values: { readonly title: string }) => string
      readonly revokeBody: string
      readonly revoked: string
      readonly titles: {
        readonly live: (values: { readonly title: string }) => string
        readonly history: (values: { readonly title: string }) => string
        readonly export: (values: { readonly title: string }) => string
      }
      readonly create: string
      readonly form: {
        readonly lead: string
        readonly expires: string
        readonly hours: (values: { readonly hours: number }) => string
        readonly days: (values: { readonly days: number }) => string
        readonly custom: string
        readonly expiresAt: string
        readonly expiryProblems: { readonly missing: string; readonly past: string }
        readonly expiryLate: (values: { readonly hours: number }) => string
        readonly audio: string
        readonly download: string
        readonly note: string
        readonly noteHint: string
        readonly code: string
        readonly codeHint: string
        readonly codeShort: string
        readonly maxOpens: string
        readonly maxViewers: string
        readonly noLimit: string
      }
      readonly created: {
        readonly lead: string
        readonly link: string
        readonly expires: (values: { readonly at: string }) => string
        readonly code: (values: { readonly code: string }) => string
        readonly copy: string
        readonly send: string
        readonly done: string
      }
    }
  }
  readonly live: {
    readonly live: {
      readonly title: string
      readonly grid: string
      readonly groups: string
      readonly everyGroup: string
      readonly wall: string
      readonly noneTitle: string
      readonly noneBody: string
      readonly noneAdminTitle: string
      readonly noneAdminBody: string
      readonly addCamera: string
      readonly demo: string
      readonly tile: (values: { readonly state: string; readonly title: string }) => string
      readonly states: {
        readonly live: string
        readonly connecting: string
        readonly offline: string
        readonly disabled: string
        readonly lost: string
        readonly refused: string
        readonly paused: string
        readonly stills: string
        readonly ended: string
      }
      readonly connecting: string
      readonly lost: string
      readonly refused: string
      readonly offline: string
      readonly disabled: string
      readonly lowData: string
      readonly lowDataTip: string
      readonly lowDataOn: (values: { readonly seconds: number }) => string
      readonly lowDataReason: { readonly requested: string; readonly slow: string }
      readonly crowded: (values: { readonly max: number; readonly seconds: number }) => string
      readonly play: (values: { readonly tile: string }) => string
      readonly open: (values: { readonly title: string }) => string
      readonly unplay: (values: { readonly title: string }) => string
      readonly lastFrame: (values: { readonly when: string }) => string
      readonly stills: string
      readonly stillsOf: (values: { readonly codec: string }) => string
      readonly ended: string
      readonly endedTitle: (values: { readonly cameras: string }) => string
      readonly endedBody: string
      readonly wentOffline: (values: { readonly title: string }) => string
      readonly cameBack: (values: { readonly title: string }) => string
      readonly notRecording: (values: { readonly reason: string }) => string
      readonly stoppedRecording: (values: { readonly reason: string; readonly title: string }) => string
      readonly recordsAgain: (values: { readonly title: string }) => string
      readonly noSuchTitle: string
      readonly noSuchBody: string
      readonly deniedTitle: string
      readonly deniedBody: string
      readonly allCameras: string
      readonly previous: string
      readonly next: string
      readonly fullScreen: string
      readonly leaveFullScreen: string
      readonly pictureInPicture: string
      readonly snapshot: string
      readonly share: string
      readonly settings: string
      readonly soundOn: string
      readonly soundOff: string
      readonly noSound: string
      readonly details: {
        readonly title: string
        readonly show: string
        readonly hide: string
        readonly bitrate: string
        readonly sound: string
        readonly withSound: string
        readonly noSound: string
        readonly way: string
        readonly ways: { readonly socket: string; readonly hls: string }
        readonly buffer: string
        readonly seconds: (values: { readonly seconds: string }) => string
        readonly dropped: string
        readonly droppedOf: (values: { readonly dropped: string; readonly frames: string }) => string
        readonly recording: string
        readonly motion: string
        readonly motionStates: {
          readonly off: string
          readonly waiting: string
          readonly active: string
          readonly paused: string
        }
        readonly motionPaused: (values: { readonly reason: string }) => string
      }
      readonly controls: string
    }
  }
  readonly log: {
    readonly log: {
      readonly lead: string
      readonly logger: string
      readonly allLoggers: string
      readonly level: string
      readonly levels: { readonly debug: string; readonly info: string; readonly warn: string; readonly error: string }
      readonly search: string
      readonly follow: string
      readonly lines: string
      readonly count: (values: { readonly all: number; readonly filtered: boolean; readonly shown: number }) => string
      readonly noDetails: string
      readonly copyAll: string
      readonly noneTitle: string
      readonly none: string
      readonly clear: string
      readonly toNewest: string
    }
  }
  readonly login: {
    readonly login: {
      readonly page: string
      readonly title: string
      readonly user: string
      readonly password: string
      readonly submit: string
      readonly withProvider: (values: { readonly name: string }) => string
      readonly or: string
      readonly withPassword: string
      readonly failures: {
        readonly 'provider-unavailable': (values: { readonly name: string }) => string
        readonly 'not-saved': (values: { readonly name: string }) => string
        readonly 'provider-denied': (values: { readonly name: string }) => string
        readonly 'sign-in-expired': (values: { readonly name: string }) => string
        readonly 'no-role': (values: { readonly name: string }) => string
      }
      readonly userMissing: string
      readonly passwordMissing: string
      readonly failed: string
      readonly tooMany: string
      readonly tooManyWait: (values: { readonly time: string }) => string
      readonly busy: string
      readonly busyWait: (values: { readonly time: string }) => string
      readonly network: string
      readonly cookieBlocked: string
      readonly canTryAgain: string
      readonly forgot: string
      readonly forgotBody: string
      readonly ended: string
      readonly proxyTitle: string
      readonly proxyBody: string
      readonly proxyAgain: string
    }
    readonly newPassword: {
      readonly page: string
      readonly title: string
      readonly lead: string
      readonly leadGiven: string
      readonly submit: string
      readonly given: string
      readonly printed: string
    }
  }
  readonly motion: {
    readonly motion: {
      readonly title: (values: { readonly camera: string }) => string
      readonly lead: string
      readonly up: string
      readonly goneTitle: string
      readonly gone: (values: { readonly camera: string }) => string
      readonly snapshot: (values: { readonly camera: string }) => string
      readonly area: (values: { readonly camera: string }) => string
      readonly frame: {
        readonly off: string
        readonly offline: string
        readonly waiting: string
        readonly old: (values: { readonly ago: string }) => string
      }
      readonly masks: {
        readonly title: string
        readonly lead: string
        readonly none: string
        readonly hint: string
        readonly add: string
        readonly name: (values: { readonly number: number }) => string
        readonly facts: (values: { readonly percent: string; readonly points: number }) => string
        readonly delete: string
        readonly deleteOf: (values: { readonly name: string }) => string
        readonly all: string
      }
      readonly drawing: {
        readonly start: string
        readonly more: (values: { readonly left: number }) => string
        readonly ready: string
        readonly keys: string
        readonly crosshair: (values: { readonly place: string }) => string
        readonly finish: string
        readonly removeLast: string
      }
      readonly point: {
        readonly name: (values: { readonly mask: string; readonly number: number; readonly place: string }) => string
        readonly whole: (values: { readonly mask: string; readonly place: string }) => string
        readonly place: (values: { readonly left: string; readonly top: string }) => string
        readonly add: string
        readonly delete: string
        readonly tooFew: string
        readonly deleted: string
        readonly put: string
        readonly hint: string
      }
      readonly undo: string
      readonly undone: string
      readonly maskDeleted: string
      readonly detection: {
        readonly title: string
        readonly enabled: string
        readonly enabledHelp: string
        readonly sensitivity: string
        readonly levels: { readonly low: string; readonly medium: string; readonly high: string }
        readonly help: { readonly low: string; readonly medium: string; readonly high: string }
        readonly now: string
        readonly still: string
        readonly little: (values: { readonly percent: string }) => string
        readonly moving: (values: { readonly percent: string }) => string
        readonly off: string
        readonly waiting: string
        readonly nowHelp: string
        readonly elsewhere: string
      }
      readonly save: string
      readonly saved: (values: { readonly camera: string }) => string
      readonly discard: string
      readonly others: string
      readonly conflict: {
        readonly title: string
        readonly soon: string
        readonly body: (values: { readonly masks: number; readonly sensitivity: string }) => string
        readonly bodyOff: (values: { readonly masks: number }) => string
        readonly theirs: string
        readonly mine: string
      }
    }
  }
  readonly 'one-time-link': {
    readonly oneTimeLink: {
      readonly invitation: {
        readonly page: string
        readonly title: string
        readonly lead: string
        readonly leadNamed: (values: { readonly name: string }) => string
        readonly submit: string
      }
      readonly reset: {
        readonly page: string
        readonly title: string
        readonly lead: (values: { readonly name: string }) => string
        readonly submit: string
      }
      readonly until: (values: { readonly when: string }) => string
      readonly nameMissing: string
      readonly nameTaken: string
      readonly wrong: string
      readonly used: string
      readonly expired: string
      readonly ended: string
      readonly cookieBlockedTitle: string
      readonly cookieBlocked: string
    }
  }
  readonly playback: {
    readonly playback: {
      readonly waiting: string
      readonly nothing: string
      readonly gone: string
      readonly goneBody: string
      readonly lost: string
      readonly interrupted: string
      readonly unsupported: string
      readonly unsupportedBody: string
      readonly broken: string
      readonly ended: string
      readonly endedBody: string
      readonly missing: string
    }
  }
  readonly reasons: {
    readonly cameraReasons: {
      readonly 'wrong-credentials': string
      readonly 'unsupported-login': string
      readonly 'access-refused': string
      readonly 'no-such-stream': string
      readonly 'request-refused': string
      readonly 'camera-error': string
      readonly 'camera-busy': string
      readonly 'no-tcp': string
      readonly 'connection-refused': string
      readonly 'timed-out': string
      readonly 'no-route': string
      readonly 'host-unknown': string
      readonly 'connection-closed': string
      readonly 'protocol-refused': string
      readonly 'other-host': string
      readonly 'no-video': string
      readonly 'unreadable-video': string
      readonly 'decoder-slow': string
      readonly 'no-such-file': string
      readonly 'file-refused': string
      readonly 'disk-full': string
      readonly 'unknown-video': string
      readonly 'ffmpeg-not-started': string
      readonly 'connection-broke': string
      readonly 'ffmpeg-missing': string
      readonly 'unreadable-source': string
      readonly 'outside-media': string
      readonly 'video-format-changed': string
      readonly 'wrong-timestamps': string
      readonly 'unplayable-video': string
      readonly 'stream-ended': string
      readonly 'instance-away': string
      readonly 'no-instance': string
      readonly 'no-data': (values: { readonly seconds: number }) => string
      readonly 'no-frame': (values: { readonly seconds: number }) => string
    }
    readonly recordingReasons: {
      readonly 'disk-full': string
      readonly 'disk-read-only': string
      readonly 'disk-slow': string
      readonly 'disk-error': string
    }
  }
  readonly review: {
    readonly review: {
      readonly lead: string
      readonly show: string
      readonly tabs: { readonly alerts: string; readonly detections: string; readonly all: string }
      readonly unseen: (values: { readonly count: number }) => string
      readonly camera: string
      readonly allCameras: string
      readonly day: string
      readonly allDays: string
      readonly onlyUnseen: string
      readonly markAll: string
      readonly markedAll: string
      readonly undo: string
      readonly newCount: (values: { readonly count: number }) => string
      readonly showNew: string
      readonly more: string
      readonly end: string
      readonly list: (values: { readonly day: string }) => string
      readonly severities: { readonly alert: string; readonly detection: string }
      readonly inProgress: string
      readonly seen: string
      readonly notSeen: string
      readonly markSeen: string
      readonly markUnseen: string
      readonly select: (values: { readonly what: string }) => string
      readonly selected: (values: { readonly count: number }) => string
      readonly clearSelection: string
      readonly previous: string
      readonly next: string
      readonly play: string
      readonly pause: string
      readonly again: string
      readonly inHistory: string
      readonly download: string
      readonly moved: (values: { readonly percent: string }) => string
      readonly notFound: string
      readonly delete: string
      readonly deleteTitle: string
      readonly deleteMany: (values: { readonly count: number }) => string
      readonly deleteBody: string
      readonly deleted: string
      readonly none: {
        readonly alerts: string
        readonly detections: string
        readonly all: string
        readonly body: string
        readonly narrowed: string
        readonly seenTitle: string
        readonly seenBody: string
        readonly offTitle: string
        readonly offBody: string
        readonly offAdmin: string
        readonly toMotion: string
        readonly showAll: string
        readonly showSeen: string
        readonly detectionsInstead: (values: { readonly count: number }) => string
      }
    }
  }
  readonly roles: {
    readonly roles: {
      readonly lead: string
      readonly add: string
      readonly builtin: string
      readonly builtinLead: string
      readonly custom: string
      readonly customLead: string
      readonly matrix: {
        readonly label: string
        readonly role: string
        readonly cameras: string
        readonly times: string
        readonly allowed: string
        readonly denied: string
      }
      readonly noneTitle: string
      readonly none: string
      readonly search: string
      readonly noMatchingRole: string
      readonly admin: string
      readonly viewer: string
      readonly users: (values: { readonly count: number }) => string
      readonly more: (values: { readonly count: number }) => string
      readonly missing: (values: { readonly name: string }) => string
      readonly missingHint: string
      readonly newTitle: string
      readonly name: string
      readonly nameHint: string
      readonly nameMissing: string
      readonly nameTaken: (values: { readonly name: string }) => string
      readonly chooseOne: string
      readonly chooseOneNew: string
      readonly noCameras: string
      readonly create: string
      readonly created: (values: { readonly name: string }) => string
      readonly all: string
      readonly goneTitle: string
      readonly gone: (values: { readonly name: string }) => string
      readonly camerasTitle: string
      readonly camerasLead: string
      readonly searchCameras: string
      readonly noMatchingCamera: string
      readonly chosen: (values: { readonly all: number; readonly count: number }) => string
      readonly gains: (values: { readonly cameras: string; readonly count: number }) => string
      readonly loses: (values: { readonly cameras: string; readonly count: number }) => string
      readonly changes: {
        readonly title: string
        readonly affected: (values: { readonly count: number; readonly names: string }) => string
        readonly proxy: string
      }
      readonly review: string
      readonly save: string
      readonly discard: string
      readonly withheldTitle: string
      readonly withheldBody: (values: { readonly cameras: string }) => string
      readonly confirm: (values: { readonly cameras: string }) => string
      readonly confirmed: (values: { readonly role: string }) => string
      readonly saved: (values: { readonly name: string }) => string
      readonly changedTitle: string
      readonly changedBody: (values: { readonly role: string }) => string
      readonly loadCurrent: string
      readonly usersTitle: string
      readonly usersLead: string
      readonly noUsers: string
      readonly deleteTitle: string
      readonly deleteLead: string
      readonly delete: string
      readonly deleteAsk: (values: { readonly name: string }) => string
      readonly loadingUsers: string
      readonly becomes: (values: { readonly count: number }) => string
      readonly gainTitle: (values: { readonly count: number }) => string
      readonly gainNothing: string
      readonly gainActions: (values: { readonly deeds: string }) => string
      readonly loseActions: (values: { readonly deeds: string }) => string
      readonly loseLimits: (values: { readonly limits: string }) => string
      readonly noneAffected: string
      readonly instead: string
      readonly proxyToo: string
      readonly deleted: (values: { readonly name: string }) => string
      readonly deletedAnd: (values: { readonly name: string; readonly users: string }) => string
      readonly alreadyGone: (values: { readonly name: string }) => string
    }
  }
  readonly screens: {
    readonly screens: {
      readonly pair: {
        readonly title: string
        readonly starting: string
        readonly retrying: string
        readonly lead: string
        readonly stepSignIn: string
        readonly stepOpen: string
        readonly stepCode: string
        readonly code: (values: { readonly code: string }) => string
        readonly left: (values: { readonly time: string }) => string
      }
      readonly page: {
        readonly title: string
        readonly loading: string
        readonly lost: string
        readonly removedTitle: string
        readonly removedBody: string
        readonly unpairedTitle: string
        readonly unpairedBody: string
        readonly pair: string
        readonly pairAgain: string
        readonly signedInTitle: string
        readonly signedInBody: string
        readonly signIn: string
        readonly signOut: string
        readonly noCameras: string
        readonly cameras: (values: { readonly name: string }) => string
        readonly pageOf: (values: { readonly page: number; readonly pages: number }) => string
        readonly previous: string
        readonly next: string
        readonly pause: string
        readonly rotate: string
      }
      readonly list: {
        readonly lead: string
        readonly add: string
        readonly label: string
        readonly noneTitle: string
        readonly none: (values: { readonly url: string }) => string
        readonly cameras: string
        readonly noCameras: string
        readonly ended: string
        readonly seen: string
        readonly never: string
        readonly seenFrom: (values: { readonly address: string; readonly when: string }) => string
        readonly added: string
        readonly addedBy: (values: { readonly user: string; readonly when: string }) => string
        readonly edit: (values: { readonly name: string }) => string
        readonly remove: string
        readonly removeOf: (values: { readonly name: string }) => string
        readonly removeTitle: (values: { readonly name: string }) => string
        readonly removeBody: string
        readonly removed: (values: { readonly name: string }) => string
      }
      readonly form: {
        readonly code: string
        readonly codeHint: (values: { readonly url: string }) => string
        readonly codeMissing: string
        readonly find: string
        readonly isYours: string
        readonly isYoursBody: (values: {
          readonly address: string
          readonly device: string
          readonly when: string
        }) => string
        readonly name: string
        readonly nameHint: string
        readonly nameMissing: string
        readonly camerasMissing: string
        readonly columns: string
        readonly automatic: string
        readonly perPage: string
        readonly all: string
        readonly rotate: string
        readonly rotateWrong: string
        readonly audio: string
        readonly audioHint: string
        readonly dim: string
        readonly dimHint: string
        readonly from: string
        readonly until: string
        readonly save: string
        readonly saved: (values: { readonly name: string }) => string
        readonly added: (values: { readonly name: string }) => string
      }
    }
  }
  readonly 'second-factor': {
    readonly secondFactor: {
      readonly signIn: string
      readonly page: string
      readonly title: string
      readonly lead: string
      readonly leadPasskey: string
      readonly leadRecovery: string
      readonly code: string
      readonly recovery: string
      readonly codeMissing: string
      readonly remember: string
      readonly submit: string
      readonly confirm: string
      readonly usePasskey: string
      readonly useRecovery: string
      readonly useCode: string
      readonly back: string
      readonly password: string
      readonly passwordMissing: string
      readonly leadPassword: string
      readonly passkeyFailed: string
      readonly passkeyUnsupported: string
    }
  }
  readonly security: {
    readonly security: {
      readonly title: string
      readonly lead: string
      readonly other: string
      readonly provider: (values: { readonly name: string }) => string
      readonly required: string
      readonly resetTitle: string
      readonly reset: (values: { readonly by: string; readonly when: string }) => string
      readonly understood: string
      readonly app: {
        readonly title: string
        readonly lead: string
        readonly none: string
        readonly since: (values: { readonly when: string }) => string
        readonly setUp: string
        readonly replace: string
        readonly remove: string
        readonly removeTitle: string
        readonly removeBody: string
        readonly removed: string
        readonly scan: string
        readonly qr: string
        readonly secret: string
        readonly copySecret: string
        readonly code: string
        readonly codeMissing: string
        readonly confirm: string
        readonly ends: string
      }
      readonly passkeys: {
        readonly title: string
        readonly lead: string
        readonly none: string
        readonly unsupported: string
        readonly add: string
        readonly name: string
        readonly nameHint: string
        readonly nameMissing: string
        readonly create: string
        readonly added: (values: { readonly name: string }) => string
        readonly since: (values: { readonly when: string }) => string
        readonly used: (values: { readonly when: string }) => string
        readonly unused: string
        readonly renameOf: (values: { readonly name: string }) => string
        readonly save: string
        readonly renamed: string
        readonly removeOf: (values: { readonly name: string }) => string
        readonly remove: string
        readonly removeTitle: (values: { readonly name: string }) => string
        readonly removeBody: string
        readonly removed: string
      }
      readonly recovery: {
        readonly title: string
        readonly lead: string
        readonly none: string
        readonly left: (values: { readonly count: number }) => string
        readonly create: string
        readonly createTitle: string
        readonly createBody: string
        readonly shownTitle: string
        readonly shown: string
        readonly codes: string
        readonly copy: string
        readonly done: string
      }
      readonly devices: {
        readonly title: string
        readonly lead: string
        readonly none: string
        readonly used: (values: { readonly when: string }) => string
        readonly until: (values: { readonly when: string }) => string
        readonly forget: string
        readonly forgetOf: (values: { readonly device: string; readonly when: string }) => string
        readonly forgotten: string
      }
    }
  }
  readonly settings: {
    readonly settings: {
      readonly title: string
      readonly menu: string
      readonly sections: {
        readonly users: string
        readonly roles: string
        readonly cameras: string
        readonly screens: string
        readonly tokens: string
        readonly storage: string
        readonly access: string
        readonly links: string
        readonly instances: string
        readonly config: string
        readonly audit: string
        readonly log: string
        readonly system: string
      }
      readonly about: {
        readonly users: string
        readonly roles: string
        readonly cameras: string
        readonly screens: string
        readonly tokens: string
        readonly storage: string
        readonly access: string
        readonly links: string
        readonly instances: string
        readonly config: string
        readonly audit: string
        readonly log: string
        readonly system: string
      }
      readonly filters: string
      readonly activeFilters: (values: { readonly active: number }) => string
      readonly leave: {
        readonly title: string
        readonly body: (values: { readonly what: string }) => string
        readonly bodyNew: string
        readonly confirm: string
      }
    }
  }
  readonly 'shared-link': {
    readonly sharedLink: {
      readonly live: string
      readonly controls: string
      readonly connecting: string
      readonly lost: string
      readonly offline: string
      readonly unsupported: string
      readonly soundOn: string
      readonly soundOff: string
      readonly pictureInPicture: string
      readonly fullScreen: string
      readonly leaveFullScreen: string
      readonly play: string
      readonly pause: string
      readonly again: string
      readonly position: string
      readonly download: string
      readonly ends: (values: { readonly when: string }) => string
      readonly code: {
        readonly title: string
        readonly lead: string
        readonly label: string
        readonly submit: string
        readonly missing: string
        readonly wrong: string
      }
      readonly refusals: {
        readonly unknown: { readonly title: string; readonly body: string }
        readonly expired: { readonly title: string; readonly body: string }
        readonly 'used-up': { readonly title: string; readonly body: string }
        readonly revoked: { readonly title: string; readonly body: string }
        readonly locked: { readonly title: string; readonly body: string }
        readonly unavailable: { readonly title: string; readonly body: string }
        readonly full: { readonly title: string; readonly body: string }
        readonly busy: { readonly title: string; readonly body: string }
        readonly away: { readonly title: string; readonly body: string }
      }
    }
  }
  readonly shortcuts: {
    readonly shortcuts: {
      readonly title: string
      readonly keys: {
        readonly Space: string
        readonly Enter: string
        readonly Home: string
        readonly End: string
        readonly Esc: string
        readonly Shift: string
      }
      readonly help: string
      readonly toggle: string
      readonly seconds: string
      readonly tenSeconds: string
      readonly minute: string
      readonly frame: string
      readonly motion: string
      readonly speed: string
      readonly zoom: string
      readonly mark: string
      readonly unmark: string
      readonly day: string
      readonly sound: string
      readonly fullScreen: string
      readonly cameras: string
      readonly grid: string
      readonly open: string
      readonly allCameras: string
      readonly details: string
      readonly items: string
      readonly play: string
      readonly seen: string
      readonly select: string
      readonly characters: string
      readonly charactersHint: string
    }
  }
  readonly storage: {
    readonly storage: {
      readonly title: string
      readonly lead: string
      readonly ofInstance: (values: { readonly name: string }) => string
      readonly ofInstanceLead: string
      readonly toInstances: string
      readonly instances: {
        readonly title: string
        readonly lead: string
        readonly leadOfShared: string
        readonly table: string
        readonly instance: string
        readonly recordings: string
        readonly total: string
        readonly current: string
        readonly away: (values: { readonly since: string }) => string
      }
      readonly all: string
      readonly byCamera: string
      readonly byCameraLead: string
      readonly byCameraLeadOfSeveral: (values: { readonly all: boolean }) => string
      readonly taken: string
      readonly takenOf: (values: { readonly given: string; readonly taken: string }) => string
      readonly counting: string
      readonly disk: string
      readonly exports: string
      readonly exportsAnd: (values: { readonly reserve: string; readonly taken: string }) => string
      readonly kept: string
      readonly keptFor: (values: { readonly days: string }) => string
      readonly folder: string
      readonly objects: {
        readonly name: string
        readonly older: (values: { readonly hours: number }) => string
        readonly failing: (values: { readonly problem: string; readonly when: string }) => string
        readonly problems: {
          readonly unreachable: string
          readonly timeout: string
          readonly denied: string
          readonly credentials: string
          readonly clock: string
          readonly 'no-bucket': string
          readonly full: string
          readonly busy: string
          readonly redirected: string
          readonly missing: string
          readonly damaged: string
          readonly unexpected: string
        }
      }
      readonly change: string
      readonly changeOf: (values: { readonly title: string }) => string
      readonly pausedBody: (values: { readonly titles: string }) => string
      readonly tight: string
      readonly tightBody: (values: { readonly given: string; readonly room: string }) => string
      readonly table: string
      readonly none: string
      readonly camera: string
      readonly used: string
      readonly perDay: string
      readonly since: string
      readonly estimatedRetention: string
      readonly about: (values: { readonly days: string }) => string
      readonly by: { readonly age: string; readonly space: string }
      readonly limits: string
      readonly onlyMotion: string
      readonly gone: string
      readonly delete: string
      readonly deleteOf: (values: { readonly title: string }) => string
      readonly deleteTitle: (values: { readonly title: string }) => string
      readonly deleteBody: (values: { readonly amount: string }) => string
      readonly deleted: (values: { readonly title: string }) => string
      readonly states: {
        readonly off: string
        readonly waiting: string
        readonly recording: string
        readonly paused: string
      }
      readonly form: {
        readonly titleAll: string
        readonly title: (values: { readonly title: string }) => string
        readonly enabledAll: string
        readonly enabled: string
        readonly enabledHelp: string
        readonly onlyMotion: string
        readonly onlyMotionHelp: string
        readonly days: string
        readonly daysHelp: string
        readonly daysHelpOne: (values: { readonly days: string }) => string
        readonly gigabytes: string
        readonly gigabytesHelp: string
        readonly gigabytesHelpOne: string
        readonly applied: string
        readonly daysMissing: string
        readonly gigabytesMissing: string
        readonly changedMeanwhile: string
        readonly saved: string
      }
    }
  }
  readonly system: {
    readonly system: {
      readonly lead: string
      readonly service: string
      readonly version: string
      readonly uptime: string
      readonly since: (values: { readonly when: string }) => string
      readonly cpu: string
      readonly cpuHint: string
      readonly memory: string
      readonly streams: string
      readonly streamsHint: string
      readonly node: (values: { readonly platform: string; readonly version: string }) => string
      readonly database: string
      readonly databaseSize: (values: { readonly free: string; readonly size: string }) => string
      readonly engines: { readonly sqlite: string; readonly postgres: string }
      readonly healthy: string
      readonly unhealthy: string
      readonly outputs: {
        readonly title: string
        readonly ok: string
        readonly failing: string
        readonly problem: (values: { readonly detail: string; readonly when: string }) => string
        readonly waiting: (values: { readonly count: number }) => string
        readonly missed: (values: { readonly count: number }) => string
      }
      readonly provider: {
        readonly title: string
        readonly ok: string
        readonly failing: string
        readonly unknown: string
        readonly since: (values: { readonly when: string }) => string
        readonly check: (values: { readonly setting: string }) => string
      }
      readonly disk: string
      readonly diskFree: (values: { readonly all: string; readonly free: string }) => string
      readonly diskUnknown: string
      readonly unknown: string
      readonly cameras: string
      readonly camerasTable: string
      readonly camerasLead: string
      readonly camera: string
      readonly state: string
      readonly states: {
        readonly online: string
        readonly connecting: string
        readonly offline: string
        readonly disabled: string
      }
      readonly viewers: string
      readonly video: string
      readonly fps: (values: { readonly rate: number }) => string
      readonly bitrate: string
      readonly restarts: string
      readonly total: string
      readonly noCameras: string
      readonly links: string
      readonly linksLead: string
      readonly reference: string
      readonly metrics: string
      readonly health: string
    }
  }
  readonly tokens: {
    readonly tokens: {
      readonly list: {
        readonly title: string
        readonly lead: string
        readonly allLead: string
        readonly create: string
        readonly label: string
        readonly more: string
        readonly noneTitle: string
        readonly none: string
        readonly noneAtAll: string
        readonly noAccountTitle: string
        readonly noAccount: string
        readonly ownedBy: (values: { readonly owner: string }) => string
        readonly cameras: string
        readonly allCameras: string
        readonly noCameras: string
        readonly actions: string
        readonly allActions: string
        readonly used: string
        readonly never: string
        readonly usedFrom: (values: { readonly address: string; readonly when: string }) => string
        readonly expires: string
        readonly neverExpires: string
        readonly expired: (values: { readonly when: string }) => string
        readonly endsWithPassword: string
        readonly created: string
        readonly createdByToken: (values: { readonly name: string }) => string
        readonly revoke: string
        readonly revokeOf: (values: { readonly name: string }) => string
        readonly revokeOfOwner: (values: { readonly name: string; readonly owner: string }) => string
        readonly revokeTitle: (values: { readonly name: string }) => string
        readonly revokeBody: string
        readonly revokeConfirm: string
        readonly revoked: (values: { readonly name: string }) => string
      }
      readonly form: {
        readonly title: string
        readonly lead: string
        readonly unavailable: string
        readonly unavailableCameras: (values: { readonly names: string }) => string
        readonly unavailableActions: (values: { readonly names: string }) => string
        readonly unavailableExpiry: string
        readonly nameTitle: string
        readonly name: string
        readonly nameHint: string
        readonly nameMissing: string
        readonly cameras: string
        readonly camerasLead: string
        readonly all: string
        readonly allHint: string
        readonly some: string
        readonly camerasMissing: string
        readonly actions: string
        readonly actionsLead: string
        readonly onCameras: string
        readonly onService: string
        readonly onServiceLead: string
        readonly actionsMissing: string
        readonly end: string
        readonly expires: string
        readonly days: (values: { readonly days: number }) => string
        readonly at: string
        readonly never: string
        readonly expiresAt: string
        readonly zone: (values: { readonly zone: string }) => string
        readonly expiresMissing: string
        readonly endsWithPassword: string
        readonly endsWithPasswordHint: string
        readonly endsWithProvider: (values: { readonly name: string }) => string
        readonly submit: string
      }
      readonly created: {
        readonly title: (values: { readonly name: string }) => string
        readonly lead: string
        readonly once: string
        readonly onceBody: string
        readonly token: string
        readonly examples: string
        readonly examplesLead: string
        readonly curl: string
        readonly ffmpeg: string
        readonly vlc: string
        readonly vlcHint: string
        readonly copyToken: string
        readonly copyCurl: string
        readonly copyFfmpeg: string
        readonly copyUrl: string
        readonly done: string
      }
    }
  }
  readonly users: {
    readonly users: {
      readonly lead: string
      readonly leadProvider: (values: { readonly name: string }) => string
      readonly add: string
      readonly search: string
      readonly allRoles: string
      readonly filterRole: string
      readonly filterSignIn: string
      readonly anySignIn: string
      readonly passwordSignIn: string
      readonly count: (values: { readonly all: number; readonly filtered: boolean; readonly shown: number }) => string
      readonly list: string
      readonly name: string
      readonly role: string
      readonly noRoleYet: string
      readonly lastLogin: string
      readonly created: string
      readonly never: string
      readonly you: string
      readonly noneTitle: string
      readonly none: string
      readonly clear: string
      readonly pages: string
      readonly pageNumber: (values: { readonly page: string }) => string
      readonly nextPage: string
      readonly previousPage: string
      readonly byProxy: string
      readonly providerOnly: (values: { readonly name: string }) => string
      readonly provider: {
        readonly signsIn: (values: { readonly host: string }) => string
        readonly title: string
        readonly body: (values: { readonly host: string; readonly name: string }) => string
        readonly subject: string
        readonly issuer: string
        readonly returns: (values: { readonly host: string; readonly name: string }) => string
      }
      readonly noSuchRole: (values: { readonly role: string }) => string
      readonly newTitle: string
      readonly nameHint: string
      readonly nameMissing: string
      readonly nameTaken: string
      readonly password: string
      readonly passwordMissing: string
      readonly generate: string
      readonly generated: string
      readonly create: string
      readonly advice: {
        readonly empty: string
        readonly userName: string
        readonly containsName: string
        readonly fine: string
      }
      readonly sees: {
        readonly admin: string
        readonly viewer: string
        readonly cameras: (values: { readonly list: string }) => string
        readonly more: (values: { readonly count: number }) => string
        readonly nothing: string
      }
      readonly credentials: (values: { readonly name: string }) => string
      readonly credentialsLead: (values: { readonly name: string }) => string
      readonly copyName: string
      readonly copyPassword: string
      readonly done: string
      readonly all: string
      readonly goneTitle: string
      readonly gone: (values: { readonly name: string }) => string
      readonly since: (values: { readonly when: string }) => string
      readonly seen: (values: { readonly when: string }) => string
      readonly neverSeen: string
      readonly roleTitle: string
      readonly roleLead: string
      readonly saveRole: string
      readonly roleChanged: (values: { readonly name: string; readonly role: string }) => string
      readonly roleChangedByOtherTitle: string
      readonly roleChangedByOther: (values: {
        readonly mine: string
        readonly name: string
        readonly theirs: string
      }) => string
      readonly roleOf: (values: { readonly role: string }) => string
      readonly ownRoleTitle: string
      readonly ownRoleBody: (values: { readonly role: string }) => string
      readonly ownRoleConfirm: string
      readonly lastAdmin: string
      readonly lastAdminRefused: string
      readonly status: {
        readonly title: string
        readonly lead: string
        readonly disabled: string
        readonly expired: string
        readonly until: (values: { readonly when: string }) => string
        readonly expiresAt: (values: { readonly when: string }) => string
        readonly blocked: { readonly 'not-accepted': string; readonly 'enrollment-required': string }
        readonly now: {
          readonly enabled: (values: { readonly name: string }) => string
          readonly expiring: (values: { readonly name: string; readonly when: string }) => string
          readonly expired: (values: { readonly name: string; readonly when: string }) => string
          readonly disabled: (values: { readonly name: string }) => string
          readonly 'not-accepted': (values: { readonly name: string }) => string
          readonly 'enrollment-required': (values: { readonly name: string }) => string
        }
        readonly disable: string
        readonly enable: string
        readonly disableAsk: (values: { readonly name: string }) => string
        readonly disableBody: (values: { readonly name: string }) => string
        readonly disableSelf: string
        readonly wasDisabled: (values: { readonly name: string }) => string
        readonly wasEnabled: (values: { readonly name: string }) => string
        readonly expires: string
        readonly expiresHint: (values: { readonly zone: string }) => string
        readonly expiryMissing: string
        readonly expiryPast: string
        readonly saveExpiry: string
        readonly removeExpiry: string
        readonly wasLimited: (values: { readonly name: string; readonly when: string }) => string
        readonly wasUnlimited: (values: { readonly name: string }) => string
        readonly limitedByOther: (values: { readonly name: string; readonly when: string }) => string
        readonly removedByOther: (values: { readonly name: string }) => string
        readonly lastAdmin: string
      }
      readonly passwordTitle: string
      readonly passwordLead: string
      readonly setPassword: string
      readonly ownPassword: string
      readonly toAccount: string
      readonly sessionsTitle: string
      readonly sessionsLead: string
      readonly noSessions: string
      readonly endAll: string
      readonly endAllOthers: string
      readonly endAllTitle: (values: { readonly name: string }) => string
      readonly endAllBody: (values: { readonly count: number; readonly name: string }) => string
      readonly allEnded: string
      readonly moreSessions: (values: { readonly count: number }) => string
      readonly deleteTitle: string
      readonly deleteLead: string
      readonly delete: string
      readonly deleteAsk: (values: { readonly name: string }) => string
      readonly deleteBody: (values: { readonly name: string }) => string
      readonly deleteSelf: string
      readonly deleted: (values: { readonly name: string }) => string
      readonly alreadyGone: (values: { readonly name: string }) => string
      readonly orphans: {
        readonly title: (values: { readonly count: number }) => string
        readonly lead: string
        readonly more: (values: { readonly count: number }) => string
        readonly reassign: string
        readonly reassignOf: (values: { readonly role: string }) => string
        readonly reassignLead: (values: { readonly names: string }) => string
        readonly chooseRole: string
        readonly reassignAct: string
        readonly reassigned: (values: { readonly count: number; readonly role: string }) => string
      }
      readonly links: {
        readonly invite: string
        readonly inviteTitle: string
        readonly inviteNameHint: string
        readonly create: string
        readonly title: string
        readonly lead: string
        readonly invitation: string
        readonly invitationFor: (values: { readonly name: string }) => string
        readonly resetFor: (values: { readonly name: string }) => string
        readonly role: (values: { readonly role: string }) => string
        readonly by: (values: { readonly name: string }) => string
        readonly until: (values: { readonly when: string }) => string
        readonly revoke: string
        readonly revokeOf: (values: { readonly link: string; readonly when: string }) => string
        readonly revoked: string
        readonly give: (values: { readonly when: string }) => string
        readonly giveTo: (values: { readonly name: string; readonly when: string }) => string
        readonly link: string
        readonly copy: string
        readonly resetTitle: string
        readonly resetLead: (values: { readonly name: string }) => string
        readonly resetCreate: string
      }
    }
  }
}
