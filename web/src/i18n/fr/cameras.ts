import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('fr')

export const cameras: AdminTexts['cameras'] = {
  title: 'Caméras',
  lead: 'D’où Gatehouse reçoit les images. Les modifications s’appliquent dès leur enregistrement.',
  list: 'Caméras',
  add: 'Ajouter une caméra',
  emptyTitle: 'Pas encore de caméra',
  emptyBody:
    'Ajoutez-en une : il vous faut son adresse et, si elle les demande, son nom d’utilisateur et son mot de passe.',
  demos:
    'Ce sont des caméras de démonstration, affichées parce que config.yml n’en contient aucune. Votre première caméra prendra leur place.',
  unreadable:
    'config.yml est illisible en l’état, donc les caméras ne peuvent pas être modifiées ici. Corrigez-le d’abord.',
  openConfig: 'Ouvrir la configuration',
  states: { online: 'En ligne', connecting: 'Connexion', offline: 'Hors ligne', disabled: 'Désactivée' },
  picture: (title) => `Dernière image de ${title}`,
  noPicture: 'Pas d’image',
  fps: (rate) =>
    plural(rate, { one: '# image par seconde', many: '# d’images par seconde', other: '# images par seconde' }),
  source: 'Source',
  unknownSource: 'inconnue',
  roles: (roles) => `Visible aussi, en plus d’admin et de viewer, par : ${roles}`,
  edit: 'Modifier',
  editOf: (title) => `Modifier ${title}`,
  live: 'En direct',
  liveOf: (title) => `Regarder ${title} en direct`,
  motion: 'Mouvement',
  motionOf: (title) => `Mouvement sur ${title}`,
  remove: 'Retirer',
  removeOf: (title) => `Retirer ${title}`,
  removeTitle: (title) => `Retirer ${title} ?`,
  removeBody:
    'Gatehouse cesse aussitôt de recevoir ses images, et les personnes qui la regardent perdent l’image. Son adresse est effacée de config.yml.',
  removeRoles: (roles) => `Elle est aussi retirée de ces rôles : ${roles}.`,
  removeOnly: (roles) =>
    `Rôles qui n’ont que cette caméra et ne verront plus rien : ${roles}. Un rôle doit contenir quelque chose, donc le nom y reste : une nouvelle caméra de ce nom ne leur est visible qu’après accord d’un administrateur.`,
  removed: (title) => `${title} a été retirée.`,
  removeChanged:
    'Quelqu’un a modifié cette caméra ou ses rôles entre-temps. Fermez cette fenêtre et vérifiez à nouveau qui perd l’accès.',
  form: {
    add: 'Ajouter une caméra',
    edit: (title) => `Modifier ${title}`,
    source: 'Source',
    sourceHelp:
      'Son adresse, par exemple rtsp://user:password@192.168.1.20/stream1. Ou un fichier vidéo dans le dossier des médias, ou encore demo:yard, demo:door, demo:office.',
    sourceReplace: 'Remplacer',
    sourceKeep: 'Garder la source actuelle',
    sourceMasked: 'L’adresse est masquée, car elle peut contenir un mot de passe.',
    name: 'Nom',
    nameHelp: 'Pour les adresses et les rôles : lettres, chiffres, _ et -.',
    nameChanged: (roles) => `Le nom change aussi dans ces rôles : ${roles}.`,
    used: {
      title: (name) => `Le nom ${name} a déjà servi`,
      removed: (when) => `Sa caméra a été retirée le ${when}.`,
      listedOnly: 'Des rôles le mentionnent, bien qu’aucune caméra ne l’ait eu.',
      recordings: (oldest, newest, size) => `Enregistrements du ${oldest} au ${newest}, ${size}`,
      items: (count) => `Événements : ${number(count)}`,
      exports: (count) => `Exports : ${number(count)}`,
      roles: (roles) => `Rôles qui le mentionnent : ${roles}`,
      role: (name, users) => `${name} (utilisateurs : ${number(users)})`,
      inherit: 'Continuer avec tout cela',
      inheritHelp:
        'Seulement s’il s’agit de la même caméra. Sinon, la nouvelle caméra commence vide, et vous l’accordez vous-même aux rôles.',
    },
    title: 'Titre',
    titleHelp: 'Ce que l’on lit à l’écran. À défaut, le nom.',
    enabled: 'Activée',
    enabledHelp: 'Désactivée, elle reste dans la liste, mais aucune image n’est reçue.',
    keepDemos: 'Garder les caméras de démonstration',
    save: 'Enregistrer',
    sourceMissing: 'Indiquez d’où vient l’image.',
    nameMissing: 'Donnez-lui un nom.',
    nameWrong: 'De 1 à 64 lettres, chiffres, _ et -.',
    nameTaken: 'Il y a déjà une caméra de ce nom.',
    changedMeanwhile:
      'Quelqu’un a modifié cette caméra en même temps que vous. Fermez ceci et repartez de son état actuel.',
    others: 'Ailleurs dans config.yml :',
    added: (title) => `${title} a été ajoutée. Elle apparaîtra dès qu’elle répondra.`,
    saved: (title) => `${title} a été enregistrée.`,
  },
  secret: {
    title: 'L’adresse contient un mot de passe',
    body: 'Il serait écrit dans config.yml, visible par quiconque peut lire ce fichier. Un espace réservé l’évite.',
    use: 'Utiliser un espace réservé',
    how: (name) =>
      `Avant d’enregistrer, mettez le mot de passe dans un fichier nommé ${name} dans le dossier $CREDENTIALS_DIRECTORY (par défaut /run/secrets), ou définissez une variable d’environnement de ce nom et redémarrez. Écrivez le mot de passe tel quel : l’encodage se fait tout seul.`,
  },
  test: {
    start: 'Tester la connexion',
    again: 'Tester à nouveau',
    lead: 'Essaie la source pendant 10 secondes au plus. Rien n’est enregistré.',
    running: (seconds) => `Connexion… ${seconds}`,
    progress: 'Test de connexion',
    value: (name) => `Valeur de {${name}}, pour ce test seulement`,
    valueHelp:
      'Pendant un test, les espaces réservés ne sont pas remplacés, afin qu’aucun secret ne parte vers une adresse qui vient d’être saisie.',
    works: 'Cela fonctionne',
    failed: 'Cela ne fonctionne pas encore',
    picture: 'Image du test',
    facts: (codec, resolution, fps) => `${codec} · ${resolution}${fps === '' ? '' : ` · ${fps}`}`,
    hevc: 'Tous les navigateurs ne savent pas lire le H.265. Si l’image reste figée, réglez la caméra sur H.264.',
    hints: {
      credentials:
        'Vérifiez le nom d’utilisateur et le mot de passe. Beaucoup de caméras demandent un utilisateur à part pour la vidéo, à créer dans les paramètres de la caméra.',
      access: 'La caméra connaît l’utilisateur, mais ne lui montre pas la vidéo. Donnez-lui le droit de la voir.',
      path: 'La machine répond, mais pas à ce chemin. Cherchez le chemin du flux dans le manuel de la caméra, par exemple /stream1 ou /h264Preview_01_main.',
      port: 'La machine est bien là, mais rien n’écoute sur ce port. Vérifiez le port (554 pour RTSP), et que RTSP ou ONVIF est activé dans la caméra.',
      silent: 'Vérifiez l’adresse, que la caméra est alimentée et qu’aucun pare-feu ne fait barrage.',
      host: 'Vérifiez l’orthographe ou utilisez l’adresse IP.',
      video: 'Vérifiez que l’adresse est bien celle d’un flux vidéo et réglez la caméra sur H.264.',
      file: 'Placez le fichier dans le dossier des médias, lisible par Gatehouse.',
      ffmpeg: 'Installez ffmpeg sur la machine qui fait tourner Gatehouse.',
    },
  },
}
