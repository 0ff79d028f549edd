import type { Texts } from '../texts.ts'

export const login: Texts['login'] = {
  page: 'Connexion',
  title: 'Connexion',
  user: 'Nom d’utilisateur',
  password: 'Mot de passe',
  submit: 'Se connecter',
  userMissing: 'Saisissez votre nom d’utilisateur.',
  passwordMissing: 'Saisissez votre mot de passe.',
  failed: 'Nom d’utilisateur ou mot de passe incorrect.',
  tooMany: 'Trop de tentatives échouées.',
  tooManyWait: (time) => `Trop de tentatives échouées. Vous pourrez réessayer dans ${time}.`,
  busy: 'Gatehouse est occupé pour le moment. Votre mot de passe n’a pas été vérifié.',
  busyWait: (time) => `Gatehouse est occupé pour le moment. Réessayez dans ${time}.`,
  network: 'Gatehouse est injoignable. Vérifiez votre connexion et réessayez.',
  notKept:
    'Le mot de passe est correct, mais ce navigateur n’a pas gardé la connexion. Autorisez les cookies pour cette adresse, ou ouvrez Gatehouse dans sa propre fenêtre.',
  mayTryAgain: 'Vous pouvez réessayer.',
  forgot: 'Mot de passe oublié ?',
  forgotBody:
    'Demandez à votre administrateur d’en définir un nouveau. Si c’est vous, mettez auth.reset_admin_password à true dans config.yml et redémarrez : le journal affichera un nouveau mot de passe pour admin.',
  ended: 'Votre session est terminée. Connectez-vous pour reprendre où vous en étiez.',
  proxyTitle: 'Votre proxy gère la connexion',
  proxyBody:
    'Ce Gatehouse laisse la connexion au proxy placé devant lui : il n’y a pas de mot de passe ici. Ouvrez Gatehouse par l’adresse du proxy, ou connectez-vous d’abord là-bas.',
  proxyAgain: 'Vérifier à nouveau',
}

export const newPassword: Texts['newPassword'] = {
  page: 'Choisir un nouveau mot de passe',
  title: 'Choisissez votre mot de passe',
  lead: 'Celui que vous venez d’utiliser est écrit dans le journal. Pour continuer, choisissez-en un que vous seul connaissez.',
  leadGiven:
    'Le mot de passe que vous venez d’utiliser a été choisi par un administrateur. Pour continuer, choisissez-en un que vous seul connaissez.',
  submit: 'Définir et continuer',
  given: 'Mot de passe reçu',
  printed: 'Mot de passe du journal',
}
