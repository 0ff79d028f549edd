import { allowedIn } from '../allowed.ts'
import type { ConfigTexts } from '../sentences.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('de')

const { any, either } = allowedIn('de', {
  kinds: {
    boolean: 'true oder false',
    null: 'null',
    text: 'ein Text',
    'some-text': 'ein Text, der nicht leer ist',
    names: 'eine Tabelle von Namen',
    keys: 'eine Tabelle von Schlüsseln',
    integer: 'eine ganze Zahl',
    number: 'eine Zahl',
    'rate-limit': '<Anzahl>/<Einheit>, mehrere durch ; getrennt, mit der Einheit second, minute oder hour; oder null',
    'cookie-name': "1 bis 64 Buchstaben ohne Umlaute, Ziffern und !#$%&'*+-.^_`|~",
    cameras: 'eine Liste mit mindestens einer Kamera',
    'camera-source':
      'eine Adresse (rtsp, rtsps, rtmp, http, https), eine Datei im Medienordner wie file:clips/yard.mp4, oder demo:yard, demo:door, demo:office',
    database: 'sqlite oder postgres://user:password@host/database',
    'base-path': 'ein Pfad aus Buchstaben ohne Umlaute, Ziffern, -, _, . und ~, der mit / beginnt',
    'frame-ancestor': "'self', 'none' oder eine Quelle wie in einer Content-Security-Policy, etwa https://home.example",
    origin: 'ein Schema und ein Host, mit Port, falls es nicht der übliche ist, etwa https://home.example:8123',
    host: 'eine IP-Adresse oder ein Hostname',
    'host-name': 'ein Hostname ohne Port',
    'trusted-header': 'ein Header der vertrauten Liste oder null',
    secret: 'ein Text aus druckbaren ASCII-Zeichen oder null',
    networks: 'eine Liste mit mindestens einer Adresse oder einem Netzbereich, oder null',
    network: 'eine Adresse oder ein Netzbereich, etwa 10.0.0.0/8 oder fd00::/8',
    role: 'admin, viewer oder eine Rolle aus auth.roles; oder null',
    link: 'eine Adresse mit http:// oder https://, oder ein Pfad auf dieser Website, der mit / beginnt; oder null',
    file: 'ein Pfad (absolut oder im Konfigurationsordner) oder null',
    polygons: 'eine Liste von Flächen, jede eine Liste von mindestens drei Ecken, jede [x, y] von 0 bis 1',
  },
  range: {
    between: (min, max) => ` von ${min} bis ${max}`,
    min: (min) => ` ab ${min}`,
    above: (above) => ` über ${above}`,
  },
  list: (each) => `eine Liste, jeder Eintrag ${each}`,
})

export const configProblems: ConfigTexts = {
  'not-utf8': 'Die Datei ist kein Text in UTF-8.',
  'control-character-in-file': 'Hier steht ein Steuerzeichen. Erlaubt ist nur Text.',
  'no-keys': 'Die Konfiguration enthält keinen Schlüssel. Mindestens einer ist nötig, zum Beispiel auth: {}.',
  'no-yaml': ({ message }) => `Das ist kein gültiges YAML: ${message}.`,
  'yaml-tag': 'Das ist kein gültiges YAML: Tags (!…) sind nicht erlaubt.',
  'second-document': 'Das ist kein gültiges YAML: Hier beginnt ein zweites Dokument.',
  'key-no-name': 'Ein Schlüssel muss ein einfacher Name sein.',
  'duplicate-key': ({ key, line }) => `Der Schlüssel ${key} steht hier noch einmal; er steht schon in Zeile ${line}.`,
  'unknown-key': ({ key, keys }) =>
    keys.length === 0
      ? `Den Schlüssel ${key} gibt es hier nicht.`
      : `Den Schlüssel ${key} gibt es hier nicht. Es gibt: ${keys.join(', ')}.`,
  'unknown-key-meant': ({ key, meant }) => `Den Schlüssel ${key} gibt es hier nicht. War ${either(meant)} gemeint?`,
  'unknown-alias': 'Das wiederholt einen Namen (*…), den nichts trägt.',
  'repeats-too-much': ({ max }) =>
    plural(max, {
      one: 'Zu viele Wiederholungen: Höchstens # Wert darf durch *… entstehen.',
      other: 'Zu viele Wiederholungen: Höchstens # Werte dürfen durch *… entstehen.',
    }),
  'key-missing': ({ allowed }) => `Das fehlt. Erlaubt: ${any(allowed)}.`,
  'value-empty': ({ allowed, optional }) =>
    `Das ist leer. Erlaubt: ${any(allowed)}.${optional ? ' Der Schlüssel kann auch wegbleiben.' : ''}`,
  'invalid-value': ({ found, allowed, quotes }) =>
    `${found === undefined ? 'Das passt nicht.' : `Hier steht ${found}.`} Erlaubt: ${any(allowed)}.${quotes ? ' Setzen Sie es in Anführungszeichen.' : ''}`,
  'list-empty': ({ allowed }) => `Diese Liste ist leer. Erlaubt: ${any(allowed)}.`,
  'unresolved-placeholder': ({ names }) =>
    `Für ${names.map((name) => `{${name}}`).join(', ')} ist kein Wert da. Setzen Sie ihn in der Umgebung oder als Datei in $CREDENTIALS_DIRECTORY.`,
  'placeholder-broken':
    'Ein Platzhalter ist nicht vollständig. Erlaubt: {SERVICE_…} aus Buchstaben ohne Umlaute, Ziffern und _.',
  'placeholder-elsewhere': ({ names, prefix }) =>
    `${names.map((name) => `{${name}}`).join(', ')} ist hier nicht erlaubt. Erlaubt: {${prefix}…}.`,
  'placeholder-place':
    'Ein Platzhalter ist nur in den Zugangsdaten und in der Abfrage erlaubt, nicht in Host oder Pfad.',
  'host-prefix': 'Der Name beginnt mit __Host-; so ein Cookie behalten Browser nur, wenn http.base_path / ist.',
  'invalid-camera-name': 'Ein Kameraname besteht aus 1 bis 64 Buchstaben ohne Umlaute, Ziffern, _ und -.',
  'mask-corners': 'Das ist keine Fläche: Eine Fläche hat mindestens drei Ecken.',
  'mask-corner': 'Das ist keine Ecke. Erlaubt: zwei Zahlen von 0 bis 1, wie weit von links und wie weit von oben.',
  'no-motion-detection':
    'An dieser Kamera sucht nichts nach Bewegung (motion.enabled ist false), daher wird alles behalten.',
  'unknown-camera': ({ camera }) => `Die Kamera „${camera}“ gibt es nicht; das gibt nichts frei.`,
  'no-sign-for-all': 'Für alle Kameras gibt es kein Zeichen. Wer alle sehen soll, bekommt viewer.',
  'same-port': ({ port }) => `${port} ist schon networking.gate.port. Die beiden müssen sich unterscheiden.`,
  'requires-key': ({ other }) => `Das wirkt nicht allein. Geben Sie auch ${other} an.`,
  'unknown-role': ({ role, roles }) => `Die Rolle „${role}“ gibt es nicht. Es gibt: ${roles.join(', ')}.`,
  'no-header-name': ({ header }) =>
    `„${header}“ ist kein Name eines Headers. Einem Namen mit _ oder . wird nie geglaubt.`,
  'header-not-trusted': ({ header, file }) =>
    `Dem Header „${header}“ wird nicht vertraut, nur denen in ${file}. Um einem anderen zu vertrauen, binden Sie eine eigene Liste über dieser Datei ein (oder nennen Sie sie in TRUSTED_HEADERS_FILE) und starten Sie neu.`,
  'invalid-secret':
    'Erlaubt: druckbare ASCII-Zeichen, kein Leerzeichen am Anfang oder Ende. Mehr kann ein Header nicht tragen.',
  'secret-short': ({ min }) =>
    plural(min, {
      other: 'Ein Geheimnis mit weniger als # Zeichen lässt sich erraten. Nehmen Sie ein langes, zufälliges.',
    }),
  'proxy-unproven':
    'Braucht proxy.auth_secret oder proxy.trusted_peers, solange auth.enabled true ist. Ohne sie könnte sich jeder Client in einem Header selbst benennen.',
  'no-user-header':
    'Das fehlt. Sind proxy.enabled und auth.enabled beide true, sagt dieser Header, wer sich über den Proxy angemeldet hat.',
  'separator-control': 'Darin steht ein Steuerzeichen, das kein Header tragen kann.',
  'trusts-everybody': 'Das vertraut jeder Adresse, die es gibt.',
  'no-network': 'Das ist weder eine Adresse noch ein Netzbereich, etwa 10.0.0.0/8 oder fd00::/8.',
  'wrong-prefix': ({ max }) => `Die Zahl nach dem Schrägstrich liegt nicht zwischen 0 und ${max}.`,
  'ipv4-as-ipv6': ({ plainly }) =>
    `Ein IPv4-Netz in IPv6-Schreibweise hat 96 bis 128 nach dem Schrägstrich. Einfacher: ${plainly}.`,
}
