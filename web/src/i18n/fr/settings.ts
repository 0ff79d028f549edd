import type { Texts } from '../texts.ts'

export const settings: Texts['settings'] = {
  page: 'Paramètres',
  title: 'Paramètres',
  menu: 'Paramètres',
  sections: {
    users: 'Utilisateurs',
    roles: 'Rôles',
    cameras: 'Caméras',
    storage: 'Stockage',
    access: 'Accès',
    config: 'Configuration',
    audit: 'Audit',
    log: 'Journal',
    system: 'Système',
  },
  about: {
    users: 'Qui peut se connecter',
    roles: 'Qui voit quelles caméras',
    cameras: 'Les ajouter, les tester, les modifier',
    storage: 'Ce qu’occupent les enregistrements et leur durée',
    access: 'Voir ce que verrait une autre personne',
    config: 'Tout dans un seul fichier',
    audit: 'Qui a fait quoi, et quand',
    log: 'Ce que dit le service',
    system: 'Version et charge',
  },
  leave: {
    title: 'Quitter sans enregistrer ?',
    body: (what) => `Vos modifications (${what}) ne sont pas enregistrées et seront perdues.`,
    confirm: 'Quitter et perdre les modifications',
  },
}
