/**
 * Every page for people who are signed in: its code and the role that it requires; for the pages in the
 * navigation, also their names and icons.
 */
import {
  type Icon,
  IconChartBar,
  IconChartLine,
  IconFolder,
  IconHistory,
  IconHourglass,
  IconKey,
  IconSettings,
  IconShare2,
  IconTool,
  IconTrash,
} from '@tabler/icons-react'
import { type ComponentType, lazy } from 'react'
import type { Role } from '../../../src/contract/accounts/roles.ts'
import type { COMMON_WORDS } from '../language/words.ts'
import { PAGES } from '../state/addresses.ts'
import { hasMinimumRole } from '../state/rights.ts'

/** The pages for people who are signed in. The other pages have their own entry point (`entrance.tsx`). */
type SignedInPageName = Exclude<keyof typeof PAGES, 'login' | 'setup' | 'invitation'>

type LoadPage = () => Promise<{ default: ComponentType }>

const PAGE_LOADERS: Readonly<Record<SignedInPageName, LoadPage>> = {
  overview: () => import('../pages/overview/page.tsx'),
  files: () => import('../files/page.tsx'),
  missing: () => import('../pages/missing/page.tsx'),
  replace: () => import('../files/replace/page.tsx'),
  trash: () => import('../pages/trash/page.tsx'),
  retention: () => import('../pages/retention/page.tsx'),
  shares: () => import('../pages/shares/page.tsx'),
  tokens: () => import('../pages/tokens/page.tsx'),
  statistics: () => import('../pages/statistics/page.tsx'),
  history: () => import('../pages/history/page.tsx'),
  upkeep: () => import('../pages/upkeep/page.tsx'),
  backup: () => import('../pages/upkeep/backup/page.tsx'),
  duplicates: () => import('../pages/duplicates/page.tsx'),
  settings: () => import('../pages/settings/page.tsx'),
  account: () => import('../pages/account/page.tsx'),
}

/** For each page, the lowest role that may open it. */
const ROLES_BY_PAGE: Readonly<Record<SignedInPageName, Role>> = {
  overview: 'ansicht',
  files: 'ansicht',
  missing: 'ansicht',
  replace: 'redaktion',
  trash: 'redaktion',
  retention: 'redaktion',
  shares: 'redaktion',
  tokens: 'betreiber',
  statistics: 'ansicht',
  history: 'redaktion',
  upkeep: 'betreiber',
  backup: 'betreiber',
  duplicates: 'betreiber',
  settings: 'betreiber',
  account: 'ansicht',
}

interface NavigationPage {
  path: string
  /** The key of the page's name in the common texts (`COMMON_WORDS`). */
  nameKey: SignedInPageName & keyof typeof COMMON_WORDS
  icon: Icon
  /** Whether the page stays in the bottom bar of a phone when some must move into the menu „Mehr“. */
  staysInBar: boolean
}

/** The pages of the navigation, in the order shown. */
const NAVIGATION_PAGES: readonly NavigationPage[] = [
  { path: PAGES.overview, nameKey: 'overview', icon: IconChartBar, staysInBar: true },
  { path: PAGES.files, nameKey: 'files', icon: IconFolder, staysInBar: true },
  { path: PAGES.trash, nameKey: 'trash', icon: IconTrash, staysInBar: true },
  { path: PAGES.shares, nameKey: 'shares', icon: IconShare2, staysInBar: false },
  { path: PAGES.tokens, nameKey: 'tokens', icon: IconKey, staysInBar: true },
  { path: PAGES.statistics, nameKey: 'statistics', icon: IconChartLine, staysInBar: false },
  { path: PAGES.history, nameKey: 'history', icon: IconHistory, staysInBar: false },
  { path: PAGES.retention, nameKey: 'retention', icon: IconHourglass, staysInBar: false },
  { path: PAGES.upkeep, nameKey: 'upkeep', icon: IconTool, staysInBar: false },
  { path: PAGES.settings, nameKey: 'settings', icon: IconSettings, staysInBar: false },
]

/** The pages of the navigation that the account may open. */
export const allowedNavigationPages = () =>
  NAVIGATION_PAGES.filter(({ nameKey }) => hasMinimumRole(ROLES_BY_PAGE[nameKey]))

/** Whether `location` is the page at `path` or one below it; no page counts as below the overview (`/`). */
export const isCurrentPage = (path: string, location: string) =>
  location === path || (path !== '/' && location.startsWith(`${path}/`))

export const ROUTES = (Object.keys(PAGE_LOADERS) as SignedInPageName[]).map(name => ({
  path: PAGES[name],
  role: ROLES_BY_PAGE[name],
  load: PAGE_LOADERS[name],
  Component: lazy(PAGE_LOADERS[name]),
}))

/**
 * Loads the code of the page at `path`; does nothing if there is none. Called when the app starts, and when
 * the pointer enters a link of the navigation.
 */
export function preloadPage(path: string): void {
  void ROUTES.find(route => route.path === path)?.load()
}
