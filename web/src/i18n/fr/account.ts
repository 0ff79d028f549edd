import type { Texts } from '../texts.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('fr')

export const password: Texts['password'] = {
  title: 'Mot de passe',
  lead: 'Le changer déconnecte toutes vos autres sessions.',
  current: 'Mot de passe actuel',
  next: 'Nouveau mot de passe',
  submit: 'Changer le mot de passe',
  changed: 'Mot de passe changé. Toutes vos autres sessions sont déconnectées.',
  wrong: 'Ce n’est pas votre mot de passe actuel.',
  missing: 'Saisissez votre mot de passe actuel.',
  byProxy: 'Votre proxy gère la connexion : c’est là que se trouve votre mot de passe.',
  inside: 'Sur ce port, personne ne se connecte : il n’y a pas de mot de passe à changer.',
  advice: {
    empty: 'Au moins 12 caractères. Trois ou quatre mots sans rapport entre eux sont sûrs et faciles à retenir.',
    short: (missing) =>
      plural(missing, { one: 'Encore # caractère.', many: 'Encore # de caractères.', other: 'Encore # caractères.' }),
    long: 'Trop long : 1 024 octets au maximum.',
    userName: 'Votre nom d’utilisateur ne convient pas.',
    containsName: 'Il contient votre nom d’utilisateur, ce qui le rend plus facile à deviner.',
    repeated: 'Il se répète : dans ce cas, la longueur n’aide pas.',
    sequence: 'Les suites de touches ou de lettres sont parmi les premières choses essayées.',
    fine: 'Assez long. Si personne ne peut le deviner en vous connaissant, il est bon.',
    good: 'Très bien : long et difficile à deviner.',
    control: 'Il contient un caractère impossible à saisir, comme une tabulation ou un saut de ligne.',
  },
}

export const account: Texts['account'] = {
  page: 'Compte',
  menu: (name, role) => `Compte : ${name} ${role}`,
  role: 'Rôle',
  open: 'Compte',
  appearance: 'Apparence',
  appearanceLead: 'Conservée dans ce navigateur.',
  theme: 'Thème',
  light: 'Clair',
  dark: 'Sombre',
  auto: 'Système',
  signOut: 'Se déconnecter',
  signOutFailed: 'La déconnexion a échoué.',
  cameras: (count) => plural(count, { one: '# caméra', many: '# de caméras', other: '# caméras' }),
  byProxy: 'Connexion par votre proxy',
  byNobody: 'Sur ce port, personne ne se connecte ; tout le monde y est administrateur',
}

export const sessions: Texts['sessions'] = {
  title: 'Vos sessions',
  lead: 'Chaque navigateur ou programme qui a utilisé votre mot de passe. Déconnectez ce que vous ne reconnaissez pas, puis changez votre mot de passe.',
  current: 'Celle-ci',
  seen: (when) => `active ${when}`,
  since: (when) => `ouverte le ${when}`,
  end: 'Déconnecter',
  endOf: (device, when) => `Déconnecter la session sur ${device}, active ${when}`,
  endOthers: 'Déconnecter les autres sessions',
  ended: 'Session déconnectée.',
  othersEnded: 'Toutes vos autres sessions sont déconnectées.',
  endOthersTitle: 'Déconnecter les autres sessions ?',
  endOthersBody:
    'Tous les autres navigateurs et programmes seront déconnectés aussitôt, et ce qu’ils affichent s’arrêtera. Ici, vous restez connecté.',
  unknownDevice: 'Appareil inconnu',
  device: (browser, system) => `${browser} sur ${system}`,
  program: (name) => `Programme : ${name}`,
}
