import type { Texts } from '../texts.ts'

export const failure: Texts['failure'] = {
  title: 'Cela n’a pas fonctionné',
  network: 'Gatehouse est injoignable. Vérifiez votre connexion ; cette page continue d’essayer.',
  busy: 'Gatehouse est occupé. Réessayez dans un instant.',
  unavailable: 'Gatehouse ne peut pas répondre pour le moment. Réessayez dans un instant.',
  unexpected: 'Une erreur s’est produite. Si elle persiste, prévenez votre administrateur.',
  stale: 'Connexion perdue. Ce que vous voyez date peut-être ; nouvelle tentative…',
  page: 'Cette page n’a pas pu être chargée. Gatehouse a peut-être été mis à jour.',
  reload: 'Recharger la page',
  elsewhere: 'Votre service de connexion renvoie sans cesse cette page.',
  elsewhereGo: 'Continuer vers la connexion',
}

export const denied: Texts['denied'] = {
  title: 'Accès refusé',
  body: 'Votre rôle ne donne pas accès à cette page. Si vous en avez besoin, contactez votre administrateur.',
  home: 'Aller à la vue en direct',
}

export const notFound: Texts['notFound'] = {
  title: 'Rien ici',
  body: 'Il n’y a pas de page à cette adresse.',
  home: 'Aller à la vue en direct',
}

export const language: Texts['language'] = {
  label: 'Langue',
  /** The browser's own language is followed. */
  auto: (name) => `Comme le navigateur (${name})`,
  failed: 'Cette langue n’a pas pu être chargée. Réessayez dans un instant.',
}

export const offline: Texts['offline'] = {
  title: 'Gatehouse est injoignable',
  body: 'Il est peut-être éteint ou en cours de démarrage, ou cet appareil n’est pas sur son réseau. Cette page réessaie d’elle-même.',
  again: 'Réessayer',
}
