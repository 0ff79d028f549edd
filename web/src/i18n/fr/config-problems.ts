import { allowedIn } from '../allowed.ts'
import type { ConfigTexts } from '../sentences.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('fr')

const { any, either } = allowedIn('fr', {
  kinds: {
    boolean: 'true ou false',
    null: 'null',
    text: 'un texte',
    'some-text': 'un texte qui n’est pas vide',
    names: 'une table de noms',
    keys: 'une table de clés',
    integer: 'un nombre entier',
    number: 'un nombre',
    'rate-limit':
      '<nombre>/<unité>, plusieurs étant séparés par un point-virgule, avec l’unité second, minute ou hour ; ou null',
    'cookie-name': "1 à 64 lettres sans accent, chiffres et !#$%&'*+-.^_`|~",
    cameras: 'une liste d’au moins une caméra',
    'camera-source':
      'une adresse (rtsp, rtsps, rtmp, http, https), un fichier du dossier des médias comme file:clips/yard.mp4, ou demo:yard, demo:door, demo:office',
    database: 'sqlite ou postgres://user:password@host/database',
    'base-path': 'un chemin de lettres sans accent, chiffres, -, _, . et ~ qui commence par /',
    'frame-ancestor':
      "'self', 'none' ou une source comme dans une Content-Security-Policy, par exemple https://home.example",
    origin:
      'un schéma et un hôte, avec le port si ce n’est pas le port habituel, par exemple https://home.example:8123',
    host: 'une adresse IP ou un nom d’hôte',
    'host-name': 'un nom d’hôte sans port',
    'trusted-header': 'un en-tête de la liste de confiance, ou null',
    secret: 'un texte de caractères ASCII imprimables, ou null',
    networks: 'une liste d’au moins une adresse ou plage réseau, ou null',
    network: 'une adresse ou une plage réseau, comme 10.0.0.0/8 ou fd00::/8',
    role: 'admin, viewer ou un rôle de auth.roles ; ou null',
    link: 'une adresse http:// ou https://, ou un chemin de ce site qui commence par / ; ou null',
    file: 'un chemin (absolu ou dans le dossier de configuration) ou null',
    polygons: 'une liste de zones, chacune de trois coins ou plus, chaque coin étant [x, y] de 0 à 1',
  },
  range: {
    between: (min, max) => ` de ${min} à ${max}`,
    min: (min) => `, ${min} ou plus`,
    above: (above) => ` supérieur à ${above}`,
  },
  list: (each) => `une liste, chaque élément étant ${each}`,
})

export const configProblems: ConfigTexts = {
  'not-utf8': 'Le fichier n’est pas un texte en UTF-8.',
  'control-character-in-file': 'Il y a ici un caractère de contrôle. Seul du texte est permis.',
  'no-keys': 'La configuration ne contient aucune clé. Il en faut au moins une, par exemple auth: {}.',
  'no-yaml': ({ message }) => `Ce n’est pas du YAML valide : ${message}.`,
  'yaml-tag': 'Ce n’est pas du YAML valide : les étiquettes (!…) ne sont pas permises.',
  'second-document': 'Ce n’est pas du YAML valide : un second document commence ici.',
  'key-no-name': 'Une clé doit être un simple nom.',
  'duplicate-key': ({ key, line }) => `La clé ${key} est répétée ici ; elle est déjà à la ligne ${line}.`,
  'unknown-key': ({ key, keys }) =>
    keys.length === 0
      ? `La clé ${key} n’existe pas ici.`
      : `La clé ${key} n’existe pas ici. Il y a : ${keys.join(', ')}.`,
  'unknown-key-meant': ({ key, meant }) => `La clé ${key} n’existe pas ici. Vouliez-vous dire ${either(meant)} ?`,
  'unknown-alias': 'Cela répète un nom (*…) que rien ne porte.',
  'repeats-too-much': ({ max }) =>
    plural(max, {
      one: 'Trop de répétitions : au plus # valeur peut venir de *….',
      many: 'Trop de répétitions : au plus # de valeurs peuvent venir de *….',
      other: 'Trop de répétitions : au plus # valeurs peuvent venir de *….',
    }),
  'key-missing': ({ allowed }) => `Il manque une valeur ici. Valeurs possibles : ${any(allowed)}.`,
  'value-empty': ({ allowed, optional }) =>
    `C’est vide. Valeurs possibles : ${any(allowed)}.${optional ? ' Vous pouvez aussi retirer la clé.' : ''}`,
  'invalid-value': ({ found, allowed, quotes }) =>
    `${found === undefined ? 'Cela ne convient pas.' : `Trouvé : ${found}.`} Valeurs possibles : ${any(allowed)}.${quotes ? ' Mettez-le entre guillemets.' : ''}`,
  'list-empty': ({ allowed }) => `Cette liste est vide. Valeurs possibles : ${any(allowed)}.`,
  'unresolved-placeholder': ({ names }) =>
    `Aucune valeur pour ${names.map((name) => `{${name}}`).join(', ')}. Définissez-la dans l’environnement ou comme fichier dans $CREDENTIALS_DIRECTORY.`,
  'placeholder-broken':
    'Une variable n’est pas complète. Forme permise : {SERVICE_…} avec des lettres sans accent, des chiffres et _.',
  'placeholder-elsewhere': ({ names, prefix }) =>
    `${names.map((name) => `{${name}}`).join(', ')} ne peut pas être utilisé ici. Forme permise : {${prefix}…}.`,
  'placeholder-place':
    'Une variable n’est permise que dans les identifiants et la requête, pas dans l’hôte ni le chemin.',
  'host-prefix': 'Il commence par __Host-, et les navigateurs ne gardent un tel cookie que si http.base_path est /.',
  'invalid-camera-name': 'Le nom d’une caméra compte 1 à 64 lettres sans accent, chiffres, _ et -.',
  'mask-corners': 'Ce n’est pas une zone : une zone a au moins trois coins.',
  'mask-corner':
    'Ce n’est pas un coin. Autorisé : deux nombres de 0 à 1, la distance depuis la gauche et depuis le haut.',
  'no-motion-detection':
    'Aucun mouvement n’est recherché sur cette caméra (motion.enabled est false), donc tout est conservé.',
  'unknown-camera': ({ camera }) => `Il n’y a pas de caméra « ${camera} » ; cela ne donne accès à rien.`,
  'no-sign-for-all': 'Il n’y a pas de signe pour toutes les caméras. Qui doit tout voir reçoit viewer.',
  'same-port': ({ port }) => `${port} est déjà networking.gate.port. Les deux doivent être différents.`,
  'requires-key': ({ other }) => `Cela ne suffit pas seul. Indiquez aussi ${other}.`,
  'unknown-role': ({ role, roles }) => `Il n’y a pas de rôle « ${role} ». Il y a : ${roles.join(', ')}.`,
  'no-header-name': ({ header }) =>
    `« ${header} » n’est pas un nom d’en-tête. Un nom qui contient _ ou un point n’est jamais cru.`,
  'header-not-trusted': ({ header, file }) =>
    `L’en-tête « ${header} » n’est pas de confiance : seuls ceux de ${file} le sont. Pour en ajouter un, montez votre propre liste à la place de ce fichier (ou nommez-la dans TRUSTED_HEADERS_FILE), puis redémarrez.`,
  'invalid-secret':
    'Permis : caractères ASCII imprimables, sans espace au début ni à la fin. Un en-tête ne porte rien d’autre.',
  'secret-short': ({ min }) =>
    plural(min, {
      one: 'Un secret de moins de # caractère peut être deviné. Utilisez-en un long et aléatoire.',
      many: 'Un secret de moins de # de caractères peut être deviné. Utilisez-en un long et aléatoire.',
      other: 'Un secret de moins de # caractères peut être deviné. Utilisez-en un long et aléatoire.',
    }),
  'proxy-unproven':
    'Nécessite proxy.auth_secret ou proxy.trusted_peers tant que auth.enabled vaut true. Sans eux, tout client pourrait se nommer lui-même dans un en-tête.',
  'no-user-header':
    'Cela manque. Quand proxy.enabled et auth.enabled valent true, cet en-tête indique qui s’est connecté par le proxy.',
  'separator-control': 'Il contient un caractère de contrôle, qu’aucun en-tête ne peut porter.',
  'trusts-everybody': 'Cela fait confiance à toutes les adresses qui existent.',
  'no-network': 'Ce n’est ni une adresse ni une plage réseau, comme 10.0.0.0/8 ou fd00::/8.',
  'wrong-prefix': ({ max }) => `Le nombre après la barre n’est pas compris entre 0 et ${max}.`,
  'ipv4-as-ipv6': ({ plainly }) =>
    `Un réseau IPv4 écrit en IPv6 a de 96 à 128 après la barre. Plus simplement : ${plainly}.`,
}
