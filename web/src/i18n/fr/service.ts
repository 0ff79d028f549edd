import type { ServiceTexts } from '../sentences.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('fr')

const gigabytes = (bytes: number): string =>
  (bytes / 1e9).toLocaleString('fr', { maximumFractionDigits: bytes < 1e8 ? 3 : 1 })

export const service: ServiceTexts = {
  refusals: {
    'invalid-request': 'Les données envoyées ne conviennent pas.',
    'unsafe-path': 'Cette adresse est ambiguë.',
    'login-failed': 'Nom d’utilisateur ou mot de passe incorrect.',
    unauthenticated: 'Connectez-vous d’abord.',
    forbidden: 'Votre rôle ne le permet pas.',
    'cross-origin': 'Une page d’un autre site ne peut pas faire cela.',
    'wrong-password': 'L’ancien mot de passe est incorrect.',
    'not-found': 'Il n’y a rien de ce nom.',
    'method-not-allowed': 'Cela ne peut pas se faire ici.',
    'upgrade-required': 'Cela n’existe qu’en WebSocket.',
    conflict: 'Cela ne va pas avec ce qui existe déjà.',
    'precondition-failed': 'Quelqu’un l’a modifié entre-temps.',
    'precondition-required': 'Il manque la version qui a été modifiée.',
    'too-large': 'C’est trop volumineux.',
    'unsupported-media-type': 'Ce type de contenu n’est pas accepté ici.',
    misdirected: 'Gatehouse n’est pas connu ici sous ce nom.',
    'too-many-attempts': 'Trop de tentatives échouées. Réessayez plus tard.',
    busy: 'Gatehouse est occupé. Réessayez dans un instant.',
    unavailable: 'Gatehouse ne peut pas répondre pour le moment. Réessayez dans un instant.',
    'no-space': 'Il n’y a plus assez de place sur le disque.',
    internal: 'Quelque chose a échoué ; le journal du service dit quoi.',
    'no-role-from-proxy':
      'Aucun rôle ne vous correspond : le proxy qui vous a connecté n’en envoie aucun qui existe ici, et proxy.default_role n’est pas défini.',
    'role-deleted': 'Votre rôle n’existe plus. Demandez-en un autre à un administrateur.',
    'no-such-user': 'Cet utilisateur n’existe pas.',
    'no-such-role': 'Ce rôle n’existe pas.',
    'no-such-session': 'Cette session n’existe pas.',
    'no-such-camera': 'Cette caméra n’existe pas.',
    'name-taken': 'Il y a déjà un utilisateur de ce nom.',
    'camera-name-taken': 'Il y a déjà une caméra de ce nom.',
    'role-name-taken': 'Il y a déjà un rôle de ce nom.',
    'last-admin': 'C’est le dernier administrateur. Nommez-en d’abord un autre.',
    'password-changed': 'Le mot de passe a été modifié entre-temps.',
    'built-in-role': 'Ce rôle est intégré : il ne peut être ni modifié ni supprimé.',
    'proxy-auth-enabled': 'La connexion se fait par votre proxy ; il n’y en a pas ici.',
    'proxy-secret-required': 'Gatehouse n’est accessible que par son proxy.',
    'https-needed':
      'Connectez-vous en HTTPS : auth.cookie_same_site vaut none, et les navigateurs ne gardent un tel cookie que là.',
    'login-queue-full': 'Trop de personnes se connectent. Réessayez.',
    'no-password-check': 'Les mots de passe ne peuvent pas être vérifiés pour le moment. Réessayez.',
    'connection-test-busy': 'D’autres sources sont en cours d’essai. Réessayez dans un instant.',
    'snapshot-queue-full': 'Trop d’images sont demandées.',
    'no-picture': 'Il n’y a pas encore d’image.',
    'segment-expired': 'Ce moment est passé.',
    'nothing-recorded': 'Rien n’a été enregistré à ce moment-là.',
    'recording-deleted': 'Cet enregistrement n’existe plus.',
    'no-thumbnail': 'Il n’y a pas d’image de ce moment.',
    'video-format-changed': () => 'La caméra a changé d’image entre-temps. Choisissez un moment avant ou après.',
    'no-ffmpeg': 'ffmpeg n’est pas installé, et rien ne peut être exporté sans lui.',
    'export-limit-own': ({ needed, left, limit }) =>
      `Vos exports peuvent occuper ${gigabytes(limit)} Go. Il reste ${gigabytes(left)} Go, et cet export en demande environ ${gigabytes(needed)}. Exportez moins ou demandez à un administrateur de supprimer des exports.`,
    'export-limit-all': ({ needed, left, limit }) =>
      left === null
        ? `Tous les exports réunis peuvent occuper ${gigabytes(limit)} Go, et celui-ci dépasserait cette limite. Demandez à un administrateur de supprimer des exports.`
        : `Tous les exports réunis peuvent occuper ${gigabytes(limit)} Go. Il reste ${gigabytes(left)} Go, et cet export en demande environ ${gigabytes(needed)}. Exportez moins ou supprimez des exports.`,
    'export-no-space': ({ needed, free }) =>
      free === null
        ? `Il n’y a pas assez de place sur le disque pour cet export : il faut environ ${gigabytes(needed)} Go. Exportez moins ou demandez à un administrateur de faire de la place.`
        : `Il n’y a pas assez de place sur le disque : il faut environ ${gigabytes(needed)} Go, et il reste ${gigabytes(free)} Go pour les exports. Exportez moins ou faites de la place.`,
    'many-exports': ({ max }) =>
      plural(max, {
        one: '# export attend déjà. Réessayez quand il sera terminé.',
        many: '# d’exports attendent déjà. Réessayez quand certains seront terminés.',
        other: '# exports attendent déjà. Réessayez quand certains seront terminés.',
      }),
    'many-own-exports': ({ max }) =>
      plural(max, {
        one: '# de vos exports attend déjà. Réessayez quand il sera terminé.',
        other: '# de vos exports attendent déjà. Réessayez quand certains seront terminés.',
      }),
    'many-streams': ({ max }) =>
      `Vous avez ${max} flux ouverts, le maximum par utilisateur. Fermez d’abord d’autres pages.`,
    'no-such-export': 'Cet export n’existe pas.',
    'export-not-done': 'Cet export n’est pas terminé.',
    'export-ended': 'Cet export a déjà pris fin.',
    'export-file-gone': 'Le fichier de cet export n’est plus sur le disque.',
    'database-unavailable': 'La base de données n’est pas disponible pour le moment.',
    'no-authority': 'Gatehouse n’a pas ici d’autorité de certification propre.',
    'config-problems': ({ count }) =>
      plural(count, {
        one: 'La configuration a # problème.',
        many: 'La configuration a # de problèmes.',
        other: 'La configuration a # problèmes.',
      }),
    'orphaned-roles': ({ roles, users }) =>
      `Ces utilisateurs auraient un rôle qui n’existe pas (${roles.join(', ')}) et ne verraient rien : ${users.join(', ')}.`,
    'config-not-editable': 'config.yml est écrit de telle sorte que cela ne peut être modifié qu’à la main.',
    'config-not-active':
      'config.yml a été modifié à la main et n’est pas en vigueur, car il n’est pas valide ou est vide. Corrigez-le d’abord.',
    'config-not-applied':
      'La configuration n’a pas pu être appliquée ; la précédente reste en vigueur. Le journal dit pourquoi.',
    'config-not-written': ({ error }) =>
      `Impossible de remplacer config.yml (${error}) : montez en écriture le dossier qui le contient, et non le seul fichier.`,
    'disk-full': ({ error }) => `Impossible de remplacer config.yml (${error}) : le disque est plein.`,
    'config-changed': 'config.yml a changé depuis que vous l’avez lu.',
    'role-changed': 'Ce rôle a changé depuis que vous l’avez lu.',
    'nothing-to-confirm': 'Il n’y a rien à confirmer : un autre administrateur l’a peut-être déjà fait.',
  },
  problems: {
    missing: 'Il manque une valeur ici.',
    'not-known': 'Ce n’est pas connu ici.',
    repeated: 'C’est indiqué plusieurs fois.',
    'before-start': 'La fin doit venir au moins une seconde après le début.',
    'span-too-long': ({ hours }) =>
      plural(hours, {
        one: 'Trop long : au plus # heure.',
        many: 'Trop long : au plus # d’heures.',
        other: 'Trop long : au plus # heures.',
      }),
    'still-to-come': 'C’est dans le futur. Seul ce qui est enregistré peut être exporté.',
    'wrong-type': () => 'Ce n’est pas du bon type.',
    'not-one-of': ({ allowed }) => `Valeurs possibles : ${allowed.join(', ')}.`,
    'too-short': ({ min }) =>
      plural(min, {
        one: 'Trop court : au moins # caractère.',
        many: 'Trop court : au moins # de caractères.',
        other: 'Trop court : au moins # caractères.',
      }),
    'too-long': ({ max }) =>
      plural(max, {
        one: 'Trop long : au plus # caractère.',
        many: 'Trop long : au plus # de caractères.',
        other: 'Trop long : au plus # caractères.',
      }),
    'too-few': ({ min }) => `Pas assez : au moins ${number(min)}.`,
    'too-many': ({ max }) => `Trop : au plus ${number(max)}.`,
    'too-small': ({ min }) => `Trop petit : au moins ${number(min)}.`,
    'too-large': ({ max }) => `Trop grand : au plus ${max}.`,
    'wrong-form': 'Ce n’est pas de la bonne forme.',
    misfit: 'Cela ne convient pas.',
    'masked-source': '*** remplace ce qui n’est pas affiché. Saisissez la source complète.',
    'user-or-others': 'Indiquez un utilisateur ou others=true.',
    'user-or-headers': 'Indiquez soit un utilisateur, soit des en-têtes.',
    'ids-or-filter': 'Indiquez soit des événements, soit un filtre.',
    'invalid-username': 'Utilisez 1 à 64 lettres sans accent, chiffres et . _ - @ +.',
    'no-letter': 'Utilisez au moins une lettre ou un chiffre.',
    'reserved-name': 'Ce nom est réservé.',
    'invalid-role-name': 'Utilisez 1 à 64 lettres sans accent, chiffres, points et tirets bas.',
    'built-in-name': 'C’est le nom d’un rôle intégré.',
    'reserved-word': 'C’est un mot réservé.',
    'differs-in-case': ({ other }) => `Il y a déjà un rôle ${other} ; seules les majuscules diffèrent.`,
    'no-such-role': ({ roles }) => `Ce rôle n’existe pas. Il y a : ${roles.join(', ')}.`,
    'given-password': 'C’est le mot de passe que vous avez reçu. Choisissez-en un autre.',
    'not-for-own': 'Cela ne vaut que pour le mot de passe d’un autre utilisateur.',
    'printed-password': 'C’est le mot de passe du journal. Choisissez-en un autre.',
    'too-many-bytes': ({ max }) =>
      plural(max, {
        one: 'Trop long : au plus # octet.',
        many: 'Trop long : au plus # d’octets.',
        other: 'Trop long : au plus # octets.',
      }),
    'control-character':
      'Il contient un caractère qui ne peut pas être tapé, comme une tabulation ou un saut de ligne.',
    'is-user-name': 'Le mot de passe ne doit pas être le nom d’utilisateur.',
    'service-words': 'Il ne contient que des mots de ce service, qui sont essayés en premier.',
    'common-password': 'C’est l’un des mots de passe les plus courants.',
    'invalid-source': 'La source contient une espace, un caractère de contrôle ou une barre oblique inverse.',
    'no-demo-scene': 'Cette scène de démonstration n’existe pas. Il y a demo:yard, demo:door et demo:office.',
    'protocol-not-allowed': 'Seuls rtsp, rtsps, rtmp, http et https sont permis.',
    'no-whole-address': 'Ce n’est pas une adresse complète avec un hôte.',
    'no-plain-path': 'Ce n’est ni une adresse ni le chemin simple d’un fichier.',
    'outside-media': 'Ce fichier est en dehors du dossier des médias.',
  },
  cameras: {
    'wrong-credentials': 'La caméra a refusé le nom d’utilisateur ou le mot de passe (401).',
    'access-refused': 'La caméra a refusé l’accès (403).',
    'no-such-stream': 'La caméra n’a pas ce flux (404).',
    'camera-error': 'La caméra a répondu par une erreur qui lui est propre.',
    'connection-refused': 'Rien ne répond à l’adresse de la caméra (connexion refusée).',
    'timed-out': 'La caméra ne répond pas (délai dépassé).',
    'no-route': 'Aucun chemin ne mène à l’adresse de la caméra.',
    'host-unknown': 'Le nom d’hôte de la caméra n’est pas connu.',
    'connection-closed': 'La caméra a fermé la connexion.',
    'protocol-refused': 'La source mène à un protocole qui n’est pas permis.',
    'other-host': 'La source mène à un autre hôte. Saisissez l’adresse à laquelle elle mène.',
    'no-video': 'La source n’a pas de vidéo.',
    'unreadable-video': 'Ce que la source envoie n’est pas une vidéo lisible.',
    'decoder-slow': 'Aucune image n’a été décodée à temps : la machine est trop occupée, ou la vidéo est abîmée.',
    'no-such-file': 'Ce fichier n’existe pas.',
    'file-refused': 'La lecture du fichier n’est pas permise.',
    'disk-full': 'Le disque est plein.',
    'unknown-video': 'La source envoie un type de vidéo qui ne peut pas être transmis.',
    'ffmpeg-not-started': 'ffmpeg n’a pas pu être démarré.',
    'connection-broke': 'La connexion à la caméra s’est interrompue.',
    'ffmpeg-missing': 'ffmpeg n’est pas installé.',
    'unreadable-source': 'La source ne peut pas être lue.',
    'outside-media': 'Le fichier est en dehors du dossier des médias.',
    'video-format-changed': 'La caméra a changé son image.',
    'unplayable-video': 'La source envoie une vidéo que les navigateurs ne lisent pas. Réglez la caméra sur H.264.',
    'stream-ended': 'La caméra a mis fin au flux.',
    'demo-without-encoder':
      'La scène de démonstration n’a pas pu être créée : ce ffmpeg n’a pas d’encodeur H.264 (libx264 ou libopenh264).',
    'no-data': ({ seconds }) => `La caméra n’a rien envoyé depuis ${seconds} s.`,
    'no-picture': ({ seconds }) => `Aucune image n’est arrivée en ${seconds} s.`,
    'demo-failed': () => 'La scène de démonstration n’a pas pu être créée. Le journal dit pourquoi.',
  },
  recordings: {
    'disk-full': 'le disque est plein',
    'disk-read-only': 'impossible d’écrire sur le disque',
    'disk-slow': 'le disque est trop lent',
    'disk-error': 'le disque est défaillant',
  },
  exports: {
    canceled: 'Il a été annulé.',
    'recording-deleted': 'L’enregistrement a été supprimé avant d’avoir pu être exporté.',
    'nothing-recorded': 'Rien n’a été enregistré à ce moment-là.',
    'video-format-changed': () =>
      'La caméra a changé d’image entre-temps. Exportez séparément ce qui précède et ce qui suit.',
    'disk-full': 'Le disque est plein.',
    'limit-reached': 'Les exports occupent déjà tout l’espace autorisé.',
    'disk-refuses': 'Le disque n’a pas pu être lu ou écrit.',
    'ffmpeg-missing': 'ffmpeg n’est pas installé.',
    'ffmpeg-failed': 'Le fichier n’a pas pu être créé. Le journal dit pourquoi.',
    'interrupted-often': 'Gatehouse a été arrêté plusieurs fois pendant l’export.',
    'took-too-long': 'Il n’avançait plus.',
    'file-gone': 'Son fichier n’est plus sur le disque.',
  },
  rules: {
    'given-by-admin': 'la base de données : un administrateur l’a donné à cet utilisateur',
    'group-gives-role': ({ role, group }) => `proxy.header_map.role_map.${role} contient le groupe « ${group} »`,
    'header-names-role': ({ role }) => `l’en-tête des rôles nomme le rôle ${role}`,
    'group-none-default': () =>
      'aucun groupe de proxy.header_map.role_map n’a été envoyé, donc proxy.default_role compte',
    'header-none-default': () => 'rien dans l’en-tête des rôles n’est un rôle, donc proxy.default_role compte',
    'group-none': 'aucun groupe de proxy.header_map.role_map n’a été envoyé, et proxy.default_role n’est pas défini',
    'header-none': 'rien dans l’en-tête des rôles n’est un rôle, et proxy.default_role n’est pas défini',
    'group-none-default-gone': ({ role }) =>
      `aucun groupe de proxy.header_map.role_map n’a été envoyé, et le rôle ${role} de proxy.default_role n’existe pas`,
    'header-none-default-gone': ({ role }) =>
      `rien dans l’en-tête des rôles n’est un rôle, et le rôle ${role} de proxy.default_role n’existe pas`,
    'untrusted-peer': 'le pair n’est pas dans proxy.trusted_peers',
    'wrong-secret': 'X-Proxy-Secret n’est pas le secret',
    'user-header-twice': 'l’en-tête d’utilisateur vient deux fois avec des valeurs différentes',
    'signs-in-here': 'sans en-tête d’utilisateur, une requête se connecte à Gatehouse même',
    'user-header-missing': 'l’en-tête d’utilisateur manque ou est vide',
    'user-header-no-name': 'l’en-tête d’utilisateur ne contient pas de nom',
    'role-header-twice': 'l’en-tête des rôles vient deux fois avec des valeurs différentes',
  },
}
