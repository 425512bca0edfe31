/** Every page of the dashboard: address, name, sign, and where its code is. The rail, the routes and the tests read this. */
import {
  type Icon,
  IconChartBar,
  IconChartLine,
  IconFolder,
  IconHistory,
  IconKey,
  IconSettings,
  IconShare2,
  IconTool,
  IconTrash,
} from '@tabler/icons-react'
import { type ComponentType, lazy } from 'react'
import { SETUP_PAGE } from '../../src/contract/setup-link.ts'
import { LOGIN_PAGE } from './frame/return-address.ts'
import type { words } from './frame/words.ts'

export interface Page {
  path: string
  /** The text of the rail. */
  word: keyof (typeof words)['de'] & `page${string}`
  icon: Icon
  /** On a phone these stand in the bar, the others behind „Mehr“. */
  inBar: boolean
  load(): Promise<{ default: ComponentType }>
}

/** In the order of the rail. */
export const RAIL: readonly Page[] = [
  {
    path: '/',
    word: 'pageOverview',
    icon: IconChartBar,
    inBar: true,
    load: () => import('./pages/overview/page.tsx'),
  },
  {
    path: '/dateien',
    word: 'pageFiles',
    icon: IconFolder,
    inBar: true,
    load: () => import('./pages/files/page.tsx'),
  },
  {
    path: '/papierkorb',
    word: 'pageTrash',
    icon: IconTrash,
    inBar: true,
    load: () => import('./pages/trash/page.tsx'),
  },
  {
    path: '/freigaben',
    word: 'pageShares',
    icon: IconShare2,
    inBar: false,
    load: () => import('./pages/shares/page.tsx'),
  },
  {
    path: '/tokens',
    word: 'pageTokens',
    icon: IconKey,
    inBar: true,
    load: () => import('./pages/tokens/page.tsx'),
  },
  {
    path: '/statistik',
    word: 'pageStatistics',
    icon: IconChartLine,
    inBar: false,
    load: () => import('./pages/statistics/page.tsx'),
  },
  {
    path: '/verlauf',
    word: 'pageHistory',
    icon: IconHistory,
    inBar: false,
    load: () => import('./pages/history/page.tsx'),
  },
  {
    path: '/wartung',
    word: 'pageUpkeep',
    icon: IconTool,
    inBar: false,
    load: () => import('./pages/upkeep/page.tsx'),
  },
  {
    path: '/einstellungen',
    word: 'pageSettings',
    icon: IconSettings,
    inBar: false,
    load: () => import('./pages/settings/page.tsx'),
  },
]

/** Pages that another page leads to. */
const BELOW = [
  { path: '/dateien/fehlende', load: () => import('./pages/missing/page.tsx') },
  { path: '/dateien/ersetzen', load: () => import('./pages/files/replace/page.tsx') },
  { path: '/wartung/sicherung', load: () => import('./pages/upkeep/backup/page.tsx') },
] as const

/** Pages without the frame, for people who are not signed in. */
const OUTSIDE = [
  { path: LOGIN_PAGE, load: () => import('./pages/login/page.tsx') },
  { path: SETUP_PAGE, load: () => import('./pages/setup/page.tsx') },
] as const

interface Loaded {
  path: string
  load(): Promise<{ default: ComponentType }>
}

const withComponent = ({ path, load }: Loaded) => ({ path, load, Component: lazy(load) })

export const INNER_ROUTES = [...RAIL, ...BELOW].map(withComponent)
export const OUTER_ROUTES = OUTSIDE.map(withComponent)

/** Fetches a page's code ahead of time: at the first load, and when the pointer rests on a link. */
export function preload(path: string): void {
  void [...INNER_ROUTES, ...OUTER_ROUTES].find(route => route.path === path)?.load()
}
