// Generated from the English messages of the web UI by `npm run docs`.
import { number, plural, select, withoutFinalPeriod } from './english-formats.ts'

/** The English text of each code, by section: a text, or a function of its values. */
export const english = {
  refusals: {
    'invalid-request': 'Invalid request.',
    'unsafe-path': 'Ambiguous path encoding.',
    'login-failed': 'Incorrect username or password.',
    'second-factor-required': 'Enter your second factor to continue.',
    'confirm-required': "Confirm that it's you to continue.",
    'wrong-second-factor': 'Wrong code or passkey. A code works only once: wait for the next one.',
    'login-expired': 'This sign-in expired or was already used. Sign in again.',
    'passkey-not-accepted': "This passkey isn't valid here.",
    'passkey-exists': 'This passkey has already been added.',
    'no-passkeys-here':
      "Passkeys don't work at this address. They need HTTPS and a hostname, and if auth.mfa.origins is set, it must list this address.",
    'no-such-factor': 'Second factor not found.',
    'factor-required': 'Your role requires a second factor. Add another one before you remove this one.',
    'factors-elsewhere': "Gatehouse doesn't manage your sign-in.",
    'wrong-totp-code': 'Wrong code. Enter the code the app shows now.',
    unauthenticated: 'Sign in to continue.',
    forbidden: "Your role doesn't allow this.",
    'cross-origin': 'Blocked: the request came from another site.',
    'wrong-password': 'Incorrect password.',
    'not-found': 'Not found.',
    'method-not-allowed': 'Method not allowed.',
    'upgrade-required': 'This endpoint requires a WebSocket.',
    conflict: 'Conflicts with the current state.',
    gone: 'No longer available.',
    'precondition-failed': 'Changed by someone else.',
    'precondition-required': 'Send If-Match with the version you edited.',
    'too-large': 'Too large.',
    'unsupported-media-type': 'Unsupported content type.',
    misdirected: "This hostname isn't allowed here.",
    'too-many-attempts': 'Too many failed attempts. Try again later.',
    busy: 'Gatehouse is busy. Try again in a moment.',
    unavailable: "Gatehouse isn't available right now. Try again in a moment.",
    'no-space': 'Not enough disk space.',
    internal: 'Internal error. See the log.',
    'serves-no-users': 'This instance only pulls cameras. Use one that serves users.',
    'no-role-from-proxy':
      "You have no role: your proxy sent none that exists here, and proxy.default_role isn't set or doesn't apply.",
    'role-deleted': 'Your role no longer exists. Ask an admin for a new one.',
    'outside-hours': 'Your role allows access only at certain hours. Try again then, or ask an admin.',
    'role-not-yet-valid': "Your role isn't valid yet.",
    'role-expired': 'Your role is no longer valid. Ask an admin to extend it.',
    'enrollment-required': 'Your role requires a second factor. Set one up first.',
    'no-such-user': 'User not found.',
    'no-such-role': 'Role not found.',
    'no-such-session': 'Session not found.',
    'no-such-token': 'API token not found.',
    'too-many-tokens': (v: { readonly max: number }) =>
      `You already have ${number(v.max, { useGrouping: false })} API tokens. Revoke one first.`,
    'no-account': 'Only a user with an account in Gatehouse can do this.',
    'no-such-screen': 'Screen not found.',
    'too-many-screens': (v: { readonly max: number }) =>
      `There are already ${number(v.max, { useGrouping: false })} screens. Remove one first.`,
    'too-many-pairings': 'Too many displays are waiting to be paired. Try again later.',
    'wrong-pairing-code': 'No display is waiting with this code. Check the code, or use the new one on the display.',
    'pairing-over': 'This code has expired or was already used.',
    'one-time-link-wrong': 'This link is incomplete or invalid. Copy the whole link, or ask for a new one.',
    'one-time-link-used': 'This link was already used. Sign in, or ask an admin for a new link.',
    'one-time-link-expired': 'This link has expired. Ask an admin for a new one.',
    'one-time-link-ended': 'This link is no longer valid. Ask an admin for a new one.',
    'no-such-invitation': 'This link was already used or revoked.',
    'too-many-invitations': (v: { readonly max: number }) =>
      `There are already ${number(v.max, { useGrouping: false })} links. Revoke some, or wait until they expire.`,
    'no-such-link': "This link doesn't exist.",
    'too-many-links': (v: { readonly max: number }) =>
      `You already have ${number(v.max, { useGrouping: false })} links. Revoke some first.`,
    'too-many-viewers': 'Too many people are watching with this link. Try again in a moment.',
    'link-opened-too-often': 'This link was opened too often in a short time. Try again in a few seconds.',
    'nothing-to-share': 'Nothing was recorded in this time range.',
    'export-not-finished': 'Only a finished export can be shared.',
    'wrong-link': 'This link is incomplete or invalid. Copy the whole link, or ask for a new one.',
    'link-code-required': 'This link needs a code. Ask the person who sent it.',
    'wrong-link-code': 'Wrong code.',
    'link-expired': 'This link has expired.',
    'link-revoked': 'This link was revoked.',
    'link-used-up': 'This link has reached its maximum number of opens.',
    'link-locked': 'Too many wrong codes were entered. Ask for a new link.',
    'link-unavailable': "This link isn't available right now. Ask the person who sent it.",
    'no-such-camera': 'Camera not found.',
    'no-such-camera-group': 'Camera group not found.',
    'camera-group-in-use': (v: { readonly roles: string }) =>
      `These roles use the group: ${withoutFinalPeriod(v.roles)}. Change them first.`,
    'name-taken': 'A user with this name already exists.',
    'camera-name-taken': 'A camera with this name already exists.',
    'role-name-taken': 'A role with this name already exists.',
    'last-admin': 'This is the only admin. Add another admin first.',
    'provider-only': 'Users sign in with the identity provider: passwords are disabled.',
    'provider-user': "The identity provider manages this user's role and password. Change them there.",
    'password-changed': 'The password has just been changed.',
    'built-in-role': "Built-in roles can't be changed or deleted.",
    'proxy-auth-enabled': 'Sign-in is handled by your proxy.',
    'proxy-secret-required': 'Gatehouse can be reached only through its proxy.',
    'https-required':
      'Sign in over HTTPS: auth.cookie_same_site is none, and browsers accept such a cookie only over HTTPS.',
    'invalid-logout-token': 'The logout token is invalid, too old or already used.',
    'login-queue-full': 'Too many sign-ins in progress. Try again.',
    'no-password-check': "Passwords can't be checked right now. Try again.",
    'connection-test-busy': 'Another connection test is running. Try again in a moment.',
    'snapshot-queue-full': 'Too many snapshot requests.',
    'too-many-mjpeg-streams': 'Too many MJPEG streams are open. Try again later.',
    'no-frame': 'No frame received yet.',
    'segment-expired': 'This live segment has expired.',
    'instance-unreachable': "The disk or instance that has this video can't be reached right now.",
    'recordings-disk-missing': "The disk of the recordings is missing right now. Try again once it's back.",
    'nothing-recorded': 'No recordings in this time range.',
    'recording-deleted': 'This recording is no longer available.',
    'recording-unreachable': "This recording can't be reached right now. Try again in a moment.",
    'no-thumbnail': 'No thumbnail available.',
    'video-format-changed': 'The video format changed in this time range. Select a time before or after the change.',
    'audio-format-changed': 'The audio format changed in this time range. Select a time before or after the change.',
    'export-limit-own': (v: { readonly left: string; readonly limit: string; readonly needed: string }) =>
      `Your exports can use up to ${v.limit} GB. You have ${v.left} GB left, and this export needs about ${v.needed} GB. Export less, or ask an admin to delete exports.`,
    'export-limit-all': (v: {
      readonly hasLeft: boolean
      readonly left: string
      readonly limit: string
      readonly needed: string
    }) =>
      select(v.hasLeft, {
        true: `All exports together can use ${v.limit} GB. ${v.left} GB are left, and this export needs about ${v.needed} GB. Export less, or delete exports.`,
        other: `All exports together can use ${v.limit} GB, and this one would exceed that. Ask an admin to delete exports.`,
      }),
    'export-no-space': (v: { readonly free: string; readonly hasFree: boolean; readonly needed: string }) =>
      select(v.hasFree, {
        true: `Not enough disk space: needs about ${v.needed} GB, ${v.free} GB free. Export less, or free space.`,
        other: `Not enough disk space: needs about ${v.needed} GB. Export less, or ask an admin to free space.`,
      }),
    'too-many-exports': (v: { readonly max: number }) =>
      plural(v.max, {
        one: `${number(v.max)} export is already queued. Try again when it's done.`,
        other: `${number(v.max)} exports are already queued. Try again when some are done.`,
      }),
    'too-many-own-exports': (v: { readonly max: number }) =>
      plural(v.max, {
        one: `${number(v.max)} of your exports is already queued. Try again when it's done.`,
        other: `${number(v.max)} of your exports are already queued. Try again when some are done.`,
      }),
    'too-many-streams': (v: { readonly max: number }) =>
      `You have ${number(v.max, { useGrouping: false })} streams open, the most allowed at once. Close other pages first.`,
    'too-many-streams-of-kind': (v: { readonly max: number }) =>
      `You have ${number(v.max, { useGrouping: false })} streams of this kind open, the most allowed at once. Close some of them first.`,
    'too-many-own-changes': 'Too many changes in a short time. Try again in a few seconds.',
    'too-many-export-changes': 'Too many export changes in a short time. Try again in a few seconds.',
    'no-such-export': 'Export not found.',
    'export-not-done': "This export isn't finished.",
    'export-ended': 'This export has already ended.',
    'export-file-missing': 'The file of this export is missing.',
    'exports-disk-missing': "The disk of the exports is missing right now. Try again once it's back.",
    'database-unavailable': "The database isn't available right now.",
    'instance-other-protocol':
      'The instance that has this video runs a different version of Gatehouse. Update all instances.',
    'no-such-instance': 'Instance not found.',
    'instance-gets-no-camera': (v: { readonly instance: string }) =>
      `${v.instance} can't take cameras: it's drained, isn't a recorder, or has no node.address.`,
    'instance-without-labels': (v: { readonly instance: string; readonly labels: string }) =>
      `${v.instance} is missing labels that this camera requires: ${withoutFinalPeriod(v.labels)}.`,
    'no-authority': "This server doesn't use Gatehouse's own certificate authority.",
    'config-problems': (v: { readonly count: number }) =>
      plural(v.count, {
        one: `The configuration has ${number(v.count)} problem.`,
        other: `The configuration has ${number(v.count)} problems.`,
      }),
    'orphaned-roles': (v: { readonly roles: string; readonly users: string }) =>
      `These users would have a role that doesn't exist (${v.roles}) and see nothing: ${withoutFinalPeriod(v.users)}.`,
    'config-not-editable': "This part of config.yml can't be edited here. Edit the file instead.",
    'config-not-active':
      "The stored configuration isn't active here: it's empty, invalid or made for a newer version. Fix it first.",
    'config-not-applied': "Couldn't apply the configuration; the previous one is still active. See the log.",
    'config-not-read': (v: { readonly error: string }) => `Couldn't read config.yml (${v.error}). See the log.`,
    'config-not-written': (v: { readonly error: string }) =>
      `Couldn't replace config.yml (${v.error}): mount its folder writable, not the file alone.`,
    'disk-full': (v: { readonly error: string }) => `Couldn't replace config.yml (${v.error}): the disk is full.`,
    'config-changed': 'The configuration was changed by someone else.',
    'role-changed': 'This role was changed by someone else.',
    'confirmation-not-needed': 'Nothing to confirm. Another admin may have confirmed it.',
  },
  problems: {
    missing: 'Required.',
    'unknown-field': 'Unknown field.',
    repeated: 'Given more than once.',
    'before-start': 'The end must be at least one second after the start.',
    'span-too-long': (v: { readonly hours: number }) =>
      plural(v.hours, {
        one: `Too long: at most ${number(v.hours)} hour.`,
        other: `Too long: at most ${number(v.hours)} hours.`,
      }),
    'in-future':
      'This time is in the future. If the clock was set back after recording, a recording can have such a date. It can be played and downloaded, but not exported or shared until then.',
    'in-past': 'This time is in the past.',
    'expires-too-late': (v: { readonly hours: number }) =>
      plural(v.hours, {
        one: `At most ${number(v.hours)} hour from now.`,
        other: `At most ${number(v.hours)} hours from now.`,
      }),
    'wrong-type': 'Wrong type.',
    'not-one-of': (v: { readonly allowed: string }) => `Allowed: ${withoutFinalPeriod(v.allowed)}.`,
    'too-short': (v: { readonly min: number }) =>
      plural(v.min, {
        one: `Too short: at least ${number(v.min)} character.`,
        other: `Too short: at least ${number(v.min)} characters.`,
      }),
    'too-long': (v: { readonly max: number }) =>
      plural(v.max, {
        one: `Too long: at most ${number(v.max)} character.`,
        other: `Too long: at most ${number(v.max)} characters.`,
      }),
    'too-few': (v: { readonly min: number }) => `Too few: at least ${number(v.min)}.`,
    'too-many': (v: { readonly max: number }) => `Too many: at most ${number(v.max)}.`,
    'too-small': (v: { readonly min: number }) => `Too small: at least ${number(v.min)}.`,
    'too-large': (v: { readonly max: number }) => `Too large: at most ${number(v.max, { useGrouping: false })}.`,
    'invalid-format': 'Invalid format.',
    invalid: 'Invalid value.',
    'masked-source': '*** stands for a hidden part. Enter the full source.',
    'user-or-others': 'Specify a user, or others=true.',
    'one-caller': 'Specify exactly one: a user, a token, a screen, a share link or headers.',
    'ids-or-filter': 'Specify either items or a filter.',
    'no-cursor': 'Invalid cursor for this list.',
    'no-time-zone': 'Unknown time zone. Example: Europe/Berlin.',
    'invalid-username': 'Use 1 to 64 letters, digits and . _ - @ +.',
    'no-letter': 'Use at least one letter or digit.',
    'reserved-name': 'This name is reserved.',
    'invalid-role-name': 'Use 1 to 64 letters, digits, dots and underscores.',
    'built-in-name': 'This is the name of a built-in role.',
    'reserved-word': 'This is a reserved word.',
    'differs-in-case': (v: { readonly other: string }) => `Role ${v.other} exists and differs only in capitalization.`,
    'no-such-role': (v: { readonly roles: string }) => `Role not found. Available: ${withoutFinalPeriod(v.roles)}.`,
    'no-such-camera': (v: { readonly camera: string }) => `Camera ${v.camera} not found.`,
    'given-password': 'This is your temporary password. Choose a different one.',
    'not-for-own': "Only for another user's password.",
    'printed-password': 'This is your temporary password. Choose a different one.',
    'too-many-bytes': (v: { readonly max: number }) =>
      plural(v.max, {
        one: `Too long: at most ${number(v.max)} byte.`,
        other: `Too long: at most ${number(v.max)} bytes.`,
      }),
    'control-character': 'Contains an unsupported character, such as a tab or line break.',
    'is-user-name': "Can't be the username.",
    'service-words': 'Contains only words related to this service, which are easy to guess.',
    'common-password': 'This is one of the most common passwords.',
    'invalid-source': 'Contains a space, control character or backslash.',
    'unknown-demo-scene': 'Demo scene not found. Available: demo:yard, demo:door and demo:office.',
    'protocol-not-allowed': 'Only rtsp, rtsps, rtmp, http and https are allowed.',
    'incomplete-url': 'Incomplete URL: no host.',
    'invalid-path': 'Neither a URL nor a plain file path.',
    'outside-media': 'This file is outside the media folder.',
  },
  configProblems: {
    'not-utf8': "The file isn't valid UTF-8.",
    'control-character-in-file': 'Contains a control character. Only text is allowed.',
    'no-keys': 'The configuration has no keys. It needs at least one, for example auth: {}.',
    'invalid-yaml': (v: { readonly message: string }) => `Invalid YAML: ${withoutFinalPeriod(v.message)}.`,
    'yaml-tag': "Invalid YAML: tags (!…) aren't allowed.",
    'second-document': 'Invalid YAML: a second document starts here.',
    'invalid-key': 'A key must be a plain name.',
    'duplicate-key': (v: { readonly key: string; readonly line: number }) =>
      `Duplicate key ${v.key}, first defined on line ${number(v.line, { useGrouping: false })}.`,
    'unknown-key': (v: { readonly hasKeys: boolean; readonly key: string; readonly keys: string }) =>
      select(v.hasKeys, {
        true: `Unknown key ${withoutFinalPeriod(v.key)}. Available: ${withoutFinalPeriod(v.keys)}.`,
        other: `Unknown key ${withoutFinalPeriod(v.key)}.`,
      }),
    'unknown-key-meant': (v: { readonly key: string; readonly meant: string }) =>
      `Unknown key ${withoutFinalPeriod(v.key)}. Did you mean ${v.meant}?`,
    'machine-section': (v: { readonly section: string }) =>
      `"${v.section}" belongs in the config.yml of each machine, not in the shared configuration.`,
    'unknown-alias': 'Unknown alias (*…).',
    'too-many-repeats': (v: { readonly max: number }) =>
      plural(v.max, {
        one: `Too many aliases: limit ${number(v.max)} value.`,
        other: `Too many aliases: limit ${number(v.max)} values.`,
      }),
    'too-many-problems': (v: { readonly max: number }) =>
      plural(v.max, {
        one: `Only ${number(v.max)} problem is shown.`,
        other: `Only ${number(v.max)} problems are shown.`,
      }),
    'key-missing': (v: { readonly allowed: string }) => `Required. Allowed: ${withoutFinalPeriod(v.allowed)}.`,
    'value-empty': (v: { readonly allowed: string; readonly optional: boolean }) =>
      `Empty. Allowed: ${withoutFinalPeriod(v.allowed)}.${select(v.optional, { true: ' Or leave the key out.', other: '' })}`,
    'invalid-value': (v: {
      readonly allowed: string
      readonly found: string
      readonly hasFound: boolean
      readonly hasMeant: boolean
      readonly meant: string
      readonly quotes: boolean
      readonly shape: string
    }) =>
      `${select(v.hasFound, { true: `Invalid value ${withoutFinalPeriod(v.found)}.`, other: select(v.shape, { list: 'Found a list.', map: 'Found a map.', text: 'Found text.', empty: 'Found empty text.', null: 'Found null.', other: 'Invalid value.' }) })} Allowed: ${withoutFinalPeriod(v.allowed)}.${select(v.quotes, { true: ' Put it in quotes.', other: '' })}${select(v.hasMeant, { true: ` Did you mean ${v.meant}?`, other: '' })}`,
    'list-empty': (v: { readonly allowed: string }) => `Empty list. Allowed: ${withoutFinalPeriod(v.allowed)}.`,
    'unresolved-placeholder': (v: { readonly names: string }) =>
      `No value for ${withoutFinalPeriod(v.names)}. Set an environment variable or add a file to $CREDENTIALS_DIRECTORY.`,
    'unreadable-credential': (v: { readonly error: string; readonly file: string }) =>
      `Couldn't read ${v.file} (${v.error}). It must be a file that the service's user can read.`,
    'incomplete-placeholder': 'Invalid placeholder. Use {SERVICE_…} with letters, digits and _.',
    'placeholder-not-allowed': (v: { readonly names: string; readonly prefix: string }) =>
      `${v.names} can't be used here. Allowed: {${v.prefix}…}.`,
    'placeholder-place': 'Placeholders can be used only in the credentials and the query, not in the host or path.',
    'host-prefix': 'Starts with __Host-, which browsers accept only if http.base_path is /.',
    'unsupported-characters': "Contains unsupported characters, such as line breaks. They aren't shown.",
    'reserved-cookie': (v: { readonly name: string }) =>
      `${v.name} is the name of another cookie of the service. Choose a different one.`,
    'invalid-camera-name': 'Use 1 to 64 letters, digits, _ and - for a camera name.',
    'too-few-points': 'A mask needs at least three points.',
    'invalid-point': 'Invalid point. Use two numbers from 0 to 1.',
    'no-motion-detection': 'Motion detection is off for this camera; everything is kept.',
    'unknown-camera': (v: { readonly camera: string }) => `Camera "${v.camera}" doesn't exist, so this has no effect.`,
    'no-camera-wildcard': 'Wildcards work only in a map: use cameras: [all] there, or the viewer role.',
    'invalid-camera-group-name': 'Use 1 to 64 letters, digits, _ and - for the name of a camera group.',
    'invalid-output-name': 'Use 1 to 64 letters, digits, _ and - for the name of an output.',
    'no-effect-on-type': (v: { readonly type: string }) => `Has no effect with type: ${withoutFinalPeriod(v.type)}.`,
    'unknown-camera-group': (v: { readonly group: string; readonly hasMeant: boolean; readonly meant: string }) =>
      `Camera group "${v.group}" doesn't exist.${select(v.hasMeant, { true: ` Did you mean ${v.meant}?`, other: '' })}`,
    'only-empty-camera-groups': 'These groups have no cameras, so this role allows nothing.',
    'all-cameras-alone': '"all" stands for every camera, so it must be the only entry.',
    'no-hours-between': 'The hours begin and end at the same time. For a whole day, use 00:00 to 24:00.',
    'ends-before-start': 'Must be after valid_from.',
    'same-port': (v: { readonly port: number }) =>
      `${number(v.port, { useGrouping: false })} is already used by networking.gate.port.`,
    'requires-key': (v: { readonly other: string }) => `Requires ${v.other} as well.`,
    'unknown-role': (v: { readonly role: string; readonly roles: string }) =>
      `Role "${v.role}" doesn't exist. Available: ${withoutFinalPeriod(v.roles)}.`,
    'invalid-header-name': (v: { readonly header: string }) =>
      `"${v.header}" isn't a valid header name. Names with _ or . are never trusted.`,
    'header-not-trusted': (v: { readonly file: string; readonly header: string }) =>
      `Header "${v.header}" isn't trusted: only headers listed in ${v.file} are. To trust it, mount your own list over that file (or set TRUSTED_HEADERS_FILE to its path) and restart.`,
    'invalid-secret': 'Use printable ASCII with no leading or trailing spaces.',
    'secret-too-short': (v: { readonly min: number }) =>
      plural(v.min, {
        one: `A secret shorter than ${number(v.min)} character can be guessed. Use a long random one.`,
        other: `A secret shorter than ${number(v.min)} characters can be guessed. Use a long random one.`,
      }),
    'no-emergency-user':
      'No user can sign in while the identity provider is unavailable. Set auth.oidc.emergency_user to an admin.',
    'proxy-not-verified':
      'Requires proxy.auth_secret or proxy.trusted_peers while auth.enabled is true. Without them, any client could claim to be any user in a header.',
    'no-user-header':
      'Required. With proxy.enabled and auth.enabled both true, this header names the user who signed in through the proxy.',
    'separator-control': "Contains a control character, which a header can't contain.",
    'trusts-everyone': 'This trusts every IP address.',
    'invalid-network': (v: { readonly found: string }) =>
      `${v.found} isn't an IP address or CIDR range. For example, use 10.0.0.0/8 or fd00::/8.`,
    'invalid-prefix': (v: { readonly found: string; readonly max: number }) =>
      `Invalid prefix length in ${withoutFinalPeriod(v.found)}. Use 0 to ${number(v.max, { useGrouping: false })}.`,
    'ipv4-as-ipv6': (v: { readonly plainly: string }) =>
      `IPv4-mapped ranges need a prefix of 96 to 128. Use ${withoutFinalPeriod(v.plainly)}.`,
  },
  allowed: {
    kinds: {
      boolean: 'true or false',
      null: 'null',
      text: 'text',
      'some-text': 'non-empty text',
      names: 'a map of names',
      keys: 'a map of keys',
      integer: 'an integer',
      number: 'a number',
      'rate-limit': '<count>/<unit>, separated by ;, with the unit second, minute or hour; or null',
      'cookie-name': "1 to 64 characters: letters, digits and !#$%&'*+-.^_`|~",
      cameras: 'a list with at least one camera',
      'group-cameras': 'a list of cameras',
      'camera-source':
        'a stream URL (rtsp, rtsps, rtmp, http, https), a file in the media folder such as file:clips/yard.mp4, or demo:yard, demo:door, demo:office',
      database: 'sqlite, or postgres://user:password@host/database',
      'base-path': 'a path of letters, digits, -, _, . and ~ that starts with /',
      'frame-ancestor': "'self', 'none' or a CSP source such as https://home.example",
      origin: 'an origin such as https://home.example:8123',
      host: 'an IP address or hostname',
      'host-name': 'a hostname without a port',
      'trusted-header': 'a header from the trusted list, or null',
      secret: 'printable ASCII text, or null',
      networks: 'a list of IP addresses or CIDR ranges, or null',
      network: 'an IP address or CIDR range such as 10.0.0.0/8',
      role: 'admin, viewer or a role from auth.roles; or null',
      link: 'an http:// or https:// URL, or a path on this site that starts with /; or null',
      issuer: 'an https:// URL without query or fragment; or null',
      file: 'a path (absolute, or in the configuration folder) or null',
      polygons: 'a list of areas, each a list of at least three points, each [x, y] from 0 to 1',
      'role-cameras': 'a list with at least one camera, or group:<name>; or [all]',
      'time-of-day': 'a time from 00:00 to 24:00, such as 07:30',
      moment: 'an RFC 3339 time such as 2026-12-24T18:00:00+01:00, or null',
      'time-zone': 'an IANA time zone such as Europe/Berlin, or null',
      'audit-file': 'a path, absolute or in the configuration folder, that ends in .jsonl, .csv or .log; or null',
      'syslog-address': 'unix:/path, udp://host:port or tcp://host:port; or null',
      'syslog-app-name': '1 to 48 letters, digits, ., _ and -',
      'instance-address': 'a URL such as https://192.0.2.5:7443, without a path; or null',
      label: '1 to 64 letters, digits, ., _ and -',
      'access-key': '1 to 256 ASCII characters, without spaces',
      's3-endpoint': 'an http:// or https:// URL without a path; or null',
      's3-region': '1 to 64 letters, digits and -',
      's3-bucket': '2 to 255 letters, digits, ., _ and -, beginning with a letter or digit',
      's3-prefix': 'names that each end with /, such as gatehouse/; or empty text',
    },
    range: {
      between: (v: { readonly max: string; readonly min: string }) => ` from ${v.min} to ${v.max}`,
      min: (v: { readonly min: string }) => ` of at least ${v.min}`,
      above: (v: { readonly above: string }) => ` above ${v.above}`,
    },
    list: (v: { readonly each: string }) => `a list, each ${v.each}`,
    orNull: (v: { readonly form: string }) => `${v.form}; or null`,
  },
  cameraReasons: {
    'wrong-credentials': 'The camera rejected the username or password (401).',
    'unsupported-login':
      "The camera requests an RTSP login that isn't supported, such as Digest with SHA-256. In its settings, set RTSP authentication to Digest with MD5, or to Basic.",
    'access-refused': 'The camera denied access (403).',
    'no-such-stream': 'Stream not found on the camera (404).',
    'request-refused': 'The camera rejected the request.',
    'camera-error': 'The camera returned an error.',
    'camera-busy': 'The camera accepts no more connections (453). Close other apps that view it.',
    'no-tcp': "The camera doesn't send RTSP over TCP (461). Enable TCP in its settings.",
    'connection-refused': "Nothing responds at the camera's address (connection refused).",
    'timed-out': "The camera doesn't respond (timed out).",
    'no-route': 'No route to the camera.',
    'host-unknown': 'Unknown camera hostname.',
    'connection-closed': 'The camera closed the connection.',
    'protocol-refused': "The source leads to a protocol that isn't allowed.",
    'other-host': 'The source leads to another host. Enter the URL it leads to.',
    'no-video': 'The source has no video.',
    'unreadable-video': 'Unreadable video stream.',
    'decoder-slow': "Couldn't decode a frame in time: the server is busy or the video is corrupt.",
    'no-such-file': 'File not found.',
    'file-refused': 'No permission to read the file.',
    'disk-full': 'The disk is full.',
    'unknown-video': 'Unsupported video format.',
    'ffmpeg-not-started': "Couldn't start ffmpeg.",
    'connection-broke': 'The connection to the camera was lost.',
    'ffmpeg-missing': "ffmpeg isn't installed.",
    'unreadable-source': "The source can't be read.",
    'outside-media': 'The file is outside the media folder.',
    'video-format-changed': 'The video format changed.',
    'wrong-timestamps':
      "The camera's timestamps jump or stand still. If this happens often, check its clock (NTP) and firmware.",
    'unplayable-video': "Browsers can't play this video format. Set the camera to H.264.",
    'stream-ended': 'The camera ended the stream.',
    'instance-away': "The instance that pulls this camera can't be reached.",
    'no-instance': 'No instance pulls this camera right now.',
    'no-data': (v: { readonly seconds: number }) =>
      `No data from the camera for ${number(v.seconds, { useGrouping: false })} s.`,
    'no-frame': (v: { readonly seconds: number }) =>
      `No key frame received within ${number(v.seconds, { useGrouping: false })} s. Set the camera's key frame interval (I-frame interval) to a few seconds.`,
  },
  recordingReasons: {
    'disk-full': 'the disk is full',
    'disk-read-only': 'the disk is read-only',
    'disk-slow': 'the disk is too slow',
    'disk-error': 'disk error',
  },
  exportReasons: {
    canceled: 'Canceled.',
    'recording-deleted': 'The recording was deleted before it could be exported.',
    'nothing-recorded': 'No recordings in this time range.',
    'video-format-changed': 'The video format changed in this time range.',
    'audio-format-changed': 'The audio format changed in this time range.',
    'disk-full': 'The disk is full.',
    'limit-reached': 'Exports have reached their space limit.',
    'disk-error': "Couldn't read from or write to the disk.",
    'muxing-failed': "Couldn't create the file. See the log.",
    'too-many-interruptions': 'Gatehouse restarted several times during the export.',
    'took-too-long': 'The export stalled.',
    'file-missing': 'The file is missing.',
  },
  accessRules: {
    'given-by-admin': 'assigned by an admin',
    'user-disabled': 'the user is disabled',
    'user-expired': 'the user has expired',
    'user-not-accepted': "the configuration doesn't let this user sign in (auth.oidc)",
    'chosen-for-screen': 'an admin chose its cameras and whether it plays audio',
    'screen-over': "the API token that paired the screen is no longer valid, or its owner can't pair screens anymore",
    'within-token': "the owner's role, within the limits of the token",
    'token-over': "the token expired or was revoked, or its owner can't sign in",
    'given-by-provider': 'from the identity provider',
    'within-link': "the owner's role, within the limits of the link",
    'link-over': "the link expired or was revoked, or its owner can't sign in",
    'group-gives-role': (v: { readonly group: string; readonly role: string }) =>
      `group "${v.group}" maps to ${v.role} in proxy.header_map.role_map`,
    'header-names-role': (v: { readonly role: string }) => `the role header names the role ${v.role}`,
    'group-none-default': 'no group of proxy.header_map.role_map was sent, so proxy.default_role applies',
    'header-none-default': 'the role header names no existing role, so proxy.default_role applies',
    'group-none': "no group of proxy.header_map.role_map was sent, and proxy.default_role isn't set",
    'header-none': "the role header names no existing role, and proxy.default_role isn't set",
    'group-none-default-gone': (v: { readonly role: string }) =>
      `no group of proxy.header_map.role_map was sent, and the role ${v.role} of proxy.default_role doesn't exist`,
    'header-none-default-gone': (v: { readonly role: string }) =>
      `the role header names no existing role, and the role ${v.role} in proxy.default_role doesn't exist`,
    'header-empty-default': 'the role header is missing or empty, so proxy.default_role applies',
    'header-empty': "the role header is missing or empty, and proxy.default_role isn't set",
    'header-empty-default-gone': (v: { readonly role: string }) =>
      `the role header is missing or empty, and the role ${v.role} in proxy.default_role doesn't exist`,
    'untrusted-peer': "the peer isn't in proxy.trusted_peers",
    'wrong-secret': 'X-Proxy-Secret is incorrect',
    'user-header-twice': 'the user header was sent twice with different values',
    'display-name-header-twice': 'the display name header was sent twice with different values',
    'signs-in-here': 'without a user header, users sign in to Gatehouse itself',
    'user-header-missing': 'the user header is missing or empty',
    'user-header-invalid':
      "the username in the user header is longer than 256 characters, or contains invisible characters, unusual or repeated spaces, or text that isn't in the Unicode form NFC",
    'role-header-twice': 'the role header was sent twice with different values',
    'role-header-missing': 'the role header is missing, and proxy.require_role_header is true',
  },
} as const
