import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('fr')

export const users: AdminTexts['users'] = {
  lead: 'Toutes les personnes qui se connectent à ce Gatehouse avec un mot de passe.',
  add: 'Ajouter un utilisateur',
  search: 'Rechercher un utilisateur',
  allRoles: 'Tous les rôles',
  filterRole: 'Rôle',
  count: (shown, all) => (shown === all ? `${number(all)} au total` : `${number(shown)} sur ${number(all)}`),
  list: 'Utilisateurs',
  name: 'Nom',
  role: 'Rôle',
  noRoleYet: 'Choisir un rôle',
  lastLogin: 'Dernière connexion',
  created: 'Ajout',
  never: 'Jamais',
  you: 'Vous',
  noneTitle: 'Aucun résultat',
  none: 'Aucun nom ni rôle ne correspond à votre recherche.',
  clear: 'Afficher tous les utilisateurs',
  pages: 'Pages de la liste',
  pageNumber: (page) => `Page ${page}`,
  nextPage: 'Page suivante',
  previousPage: 'Page précédente',
  byProxy:
    'Votre proxy gère la connexion, donc personne ne se connecte avec ce qui est défini ici. Cela compte à nouveau dès que auth.enabled vaut true.',
  noSuchRole: (role) => `Il n’y a pas de rôle ${role} : il ne donne accès à rien.`,

  newTitle: 'Ajouter un utilisateur',
  nameHint: 'Lettres, chiffres et . _ - @ +. À la connexion, les majuscules ne comptent pas.',
  nameMissing: 'Saisissez un nom.',
  nameTaken: 'Il y a déjà un utilisateur de ce nom.',
  password: 'Mot de passe',
  passwordMissing: 'Saisissez un mot de passe ou générez-en un.',
  make: 'En générer un',
  made: 'Un nouveau mot de passe a été généré.',
  create: 'Ajouter l’utilisateur',
  advice: {
    empty: 'Au moins 12 caractères. Générez-en un ici, ou prenez trois ou quatre mots sans rapport entre eux.',
    userName: 'Le nom de l’utilisateur ne convient pas.',
    containsName: 'Il contient le nom de l’utilisateur, ce qui le rend plus facile à deviner.',
    fine: 'Assez long. Si personne ne peut le deviner en connaissant l’utilisateur, il est bon.',
  },

  sees: {
    admin: 'Peut tout faire : toutes les caméras, les utilisateurs, les rôles et la configuration.',
    viewer: 'Voit toutes les caméras et ne modifie rien.',
    cameras: (list) => `Voit ${list}, et aucune autre caméra.`,
    more: (count) => plural(count, { one: '# autre', other: '# autres' }),
    nothing: 'Ne voit aucune caméra.',
  },

  handOver: (name) => `Remettez ceci à ${name}`,
  handOverLead: () =>
    'Le mot de passe ne s’affiche que maintenant. Transmettez-le de façon sûre ; il peut être changé sous Compte.',
  copy: 'Copier',
  copied: 'Copié',
  copyName: 'Copier le nom',
  copyPassword: 'Copier le mot de passe',
  done: 'Terminé',

  all: 'Tous les utilisateurs',
  goneTitle: 'Utilisateur introuvable',
  gone: (name) => `Il n’y a pas d’utilisateur ${name}. Quelqu’un l’a peut-être supprimé ou renommé.`,
  since: (when) => `Ajout le ${when}`,
  seen: (when) => `Dernière connexion : ${when}`,
  neverSeen: 'Jamais connecté',
  roleTitle: 'Rôle',
  roleLead: 'Prend effet dès la prochaine requête, et pour ce qui est ouvert en ce moment.',
  saveRole: 'Changer le rôle',
  roleChanged: (name, role) => `${name} a maintenant le rôle ${role}.`,
  roleOvertakenTitle: 'Quelqu’un a changé le rôle entre-temps',
  roleOvertaken: (name, theirs, mine) =>
    `${name} a maintenant le rôle ${theirs}. Votre choix est conservé : changez le rôle encore une fois pour donner ${mine}.`,
  roleOf: (role) => `À propos du rôle ${role}`,
  ownRoleTitle: 'Renoncer à votre rôle admin ?',
  ownRoleBody: (role) =>
    `Vous aurez désormais le rôle ${role}, et ces paramètres vous seront fermés aussitôt. Seul un autre admin pourra vous rendre le rôle.`,
  ownRoleConfirm: 'Renoncer à mon rôle admin',
  lastAdmin:
    'C’est le seul admin : son rôle ne change pas et il ne peut pas être supprimé. Nommez d’abord un autre admin.',
  lastAdminRefused: 'C’est le dernier admin. Nommez d’abord un autre admin.',

  passwordTitle: 'Mot de passe',
  passwordLead: 'Un nouveau mot de passe déconnecte aussitôt toutes ses sessions.',
  setPassword: 'Définir le mot de passe',
  ownPassword: 'Votre propre mot de passe se change sous Compte, où vous prouvez que vous connaissez l’actuel.',
  toAccount: 'Aller à Compte',

  sessionsTitle: 'Sessions',
  sessionsLead: 'Chaque navigateur ou programme où cet utilisateur est connecté.',
  noSessions: 'Connecté nulle part.',
  endAll: 'Déconnecter toutes les sessions',
  endAllOthers: 'Déconnecter les autres sessions',
  endAllTitle: (name) => `Déconnecter toutes les sessions de ${name} ?`,
  endAllBody: (count, name) =>
    plural(
      count,
      {
        one: 'La session de {name} est déconnectée aussitôt dans # navigateur ou programme, et ce qu’il affiche s’arrête. Une nouvelle connexion reste possible.',
        many: 'Les sessions de {name} sont déconnectées aussitôt dans # de navigateurs et programmes, et ce qu’ils affichent s’arrête. Une nouvelle connexion reste possible.',
        other:
          'Les sessions de {name} sont déconnectées aussitôt dans # navigateurs et programmes, et ce qu’ils affichent s’arrête. Une nouvelle connexion reste possible.',
      },
      { name },
    ),
  allEnded: 'Toutes les sessions sont déconnectées.',
  moreSessions: (count) => plural(count, { one: 'Afficher # autre', other: 'Afficher # autres' }),
  deleteTitle: 'Supprimer cet utilisateur',
  deleteLead: 'Supprime le compte. Les enregistrements et les caméras restent tels quels.',
  delete: 'Supprimer l’utilisateur',
  deleteAsk: (name) => `Supprimer ${name} ?`,
  deleteBody: (name) =>
    `Toutes les sessions de ${name} sont déconnectées aussitôt, ce qui est ouvert s’arrête et le mot de passe est perdu. C’est irréversible : un nouvel utilisateur du même nom repart de zéro.`,
  deleteSelf: 'C’est vous. Votre session est déconnectée aussitôt, et seul un autre admin peut vous recréer un compte.',
  deleted: (name) => `L’utilisateur ${name} a été supprimé.`,
  alreadyGone: (name) => `Quelqu’un avait déjà supprimé l’utilisateur ${name}.`,

  orphans: {
    title: (count) =>
      plural(count, {
        one: '# utilisateur a un rôle qui n’existe pas',
        many: '# d’utilisateurs ont un rôle qui n’existe pas',
        other: '# utilisateurs ont un rôle qui n’existe pas',
      }),
    lead: 'Leur rôle est absent de config.yml : ils ne voient donc rien. Rajoutez le rôle dans config.yml ou attribuez-leur un autre rôle.',
    more: (count) => plural(count, { one: '# autre', other: '# autres' }),
    reassign: 'Réaffecter…',
    reassignOf: (role) => `Réaffecter les utilisateurs de ${role}`,
    reassignLead: (names) => `Choisissez un nouveau rôle pour ${names}. Il prend effet immédiatement.`,
    chooseRole: 'Choisissez un rôle.',
    reassignAct: 'Réaffecter',
    reassigned: (count, role) =>
      plural(
        count,
        {
          one: '# utilisateur est désormais {role}.',
          many: '# d’utilisateurs sont désormais {role}.',
          other: '# utilisateurs sont désormais {role}.',
        },
        { role },
      ),
  },
}
