import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('fr')

export const roles: AdminTexts['roles'] = {
  lead: 'Un rôle indique quelles caméras une personne voit. Chaque utilisateur en a un.',
  add: 'Ajouter un rôle',
  builtin: 'Intégrés',
  builtinLead: 'Ils existent toujours et ne peuvent pas être modifiés.',
  custom: 'Vos rôles',
  customLead: 'Ils voient en direct les caméras choisies et ce qui en est enregistré, et ne modifient rien.',
  noneTitle: 'Pas encore de rôle à vous',
  none: 'Ajoutez-en un pour quiconque doit voir certaines caméras, mais pas toutes : voisin, locataire, gardien.',
  search: 'Rechercher un rôle',
  noMatch: 'Aucun rôle ne correspond à votre recherche.',
  admin:
    'Peut tout faire : voit toutes les caméras, gère les utilisateurs, les rôles, les caméras et la configuration.',
  viewer: 'Voit toutes les caméras, y compris celles ajoutées plus tard. Ne modifie rien et n’a pas de paramètres.',
  users: (count) =>
    plural(count, { '=0': 'Personne', one: '# utilisateur', many: '# d’utilisateurs', other: '# utilisateurs' }),
  more: (count) => plural(count, { one: '# autre', other: '# autres' }),
  missing: (name) => `${name} (introuvable)`,
  missingHint:
    'Aucune caméra ne porte ce nom. Cela ne donne accès à rien tant qu’il n’y en a pas et qu’un administrateur ne l’a pas accordée ici.',

  newTitle: 'Ajouter un rôle',
  name: 'Nom',
  nameHint: 'Lettres, chiffres, point et tiret bas, par exemple voisin. Il ne pourra plus être changé.',
  nameMissing: 'Saisissez un nom.',
  nameTaken: (name) => `Il y a déjà un rôle ${name}.`,
  chooseOne: 'Choisissez au moins une caméra. Sans caméra, il n’y a rien à voir : supprimez plutôt le rôle.',
  chooseOneNew: 'Choisissez au moins une caméra.',
  noCameras: 'Il n’y a pas encore de caméra. Ajoutez-en une d’abord, puis choisissez qui la voit.',
  create: 'Ajouter le rôle',
  created: (name) => `Le rôle ${name} a été ajouté. Attribuez-le à quelqu’un sous Utilisateurs.`,

  all: 'Tous les rôles',
  goneTitle: 'Rôle introuvable',
  gone: (name) => `Il n’y a pas de rôle ${name}. Quelqu’un l’a peut-être supprimé.`,
  camerasTitle: 'Caméras',
  camerasLead: 'Ce que voient les utilisateurs de ce rôle, dès la prochaine requête.',
  searchCameras: 'Rechercher une caméra',
  noCameraFits: 'Aucune caméra ne correspond à votre recherche.',
  chosen: (count, all) =>
    plural(count, { one: '# sur {all} choisie', other: '# sur {all} choisies' }, { all: number(all) }),
  gains: (count, cameras) =>
    plural(
      count,
      {
        one: '# utilisateur verra désormais {cameras}.',
        many: '# d’utilisateurs verront désormais {cameras}.',
        other: '# utilisateurs verront désormais {cameras}.',
      },
      { cameras },
    ),
  loses: (count, cameras) =>
    plural(
      count,
      {
        one: '# utilisateur ne verra plus {cameras} ; ce qui est ouvert s’arrête aussitôt.',
        many: '# d’utilisateurs ne verront plus {cameras} ; ce qui est ouvert s’arrête aussitôt.',
        other: '# utilisateurs ne verront plus {cameras} ; ce qui est ouvert s’arrête aussitôt.',
      },
      { cameras },
    ),
  save: 'Enregistrer',
  discard: 'Abandonner',
  withheldTitle: 'Pas encore accordée',
  withheldBody: (cameras) =>
    `Ce rôle mentionnait ${cameras} avant l’ajout de la caméra ; ses utilisateurs ne la voient donc pas. Accordez-la s’ils doivent voir la nouvelle caméra.`,
  confirm: (cameras) => `Accorder ${cameras}`,
  confirmed: (role) => `${role} voit maintenant la caméra.`,
  saved: (name) => `Le rôle ${name} a été modifié.`,
  changedTitle: 'Quelqu’un a modifié ce rôle entre-temps',
  changedBody: (cameras) =>
    `Il comprend maintenant ${cameras}. Vous pouvez repartir de là ; vos propres modifications seront perdues.`,
  takeOver: 'Afficher l’état actuel',

  usersTitle: 'Utilisateurs',
  usersLead: 'Qui a ce rôle.',
  noUsers: 'Personne n’a ce rôle.',

  deleteTitle: 'Supprimer ce rôle',
  deleteLead: 'Ses utilisateurs passent au rôle viewer et voient toutes les caméras.',
  delete: 'Supprimer le rôle',
  deleteAsk: (name) => `Supprimer le rôle ${name} ?`,
  looking: 'Recherche des utilisateurs de ce rôle…',
  becomes: (count) =>
    plural(count, {
      one: 'Cet utilisateur passe au rôle viewer :',
      many: 'Ces # d’utilisateurs passent au rôle viewer :',
      other: 'Ces # utilisateurs passent au rôle viewer :',
    }),
  gainTitle: (count) =>
    plural(count, {
      one: 'Cette caméra devient visible en plus :',
      other: 'Ces caméras deviennent visibles en plus :',
    }),
  gainNothing: 'Toutes les caméras sont déjà visibles, et celles ajoutées plus tard le seront aussi.',
  nobody: 'Personne n’a ce rôle, donc personne ne gagne ni ne perd de caméra.',
  instead: 'Si cela ne doit pas arriver, donnez d’abord un autre rôle.',
  proxyToo: 'Les personnes à qui votre proxy donne ce rôle le perdent à leur prochaine requête.',
  deleted: (name) => `Le rôle ${name} a été supprimé.`,
  deletedAnd: (name, users) => `Le rôle ${name} a été supprimé. Désormais viewer : ${users}.`,
  alreadyGone: (name) => `Quelqu’un avait déjà supprimé le rôle ${name}.`,

  differences: {
    title: 'Les rôles diffèrent d’une instance à l’autre',
    lead: 'Des instances qui partagent cette base de données ont des rôles différents dans leur config.yml : ce que voit un utilisateur dépend donc de l’instance. Donnez-leur à toutes le même config.yml.',
    instance: (name) => `Instance ${name}`,
    'missing-here': (role) => `${role} : existe là-bas, pas ici`,
    'missing-there': (role) => `${role} : existe ici, pas là-bas`,
    'other-cameras': (role) => `${role} : d’autres caméras là-bas`,
  },
}
