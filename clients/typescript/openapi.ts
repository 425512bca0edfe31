/** Made by generate.ts from /api/openapi.json; not to be changed by hand. A test says when it is out of date. */

/** POST /api/upload */
export interface PostUploadParameters {
  /** sha-256 der Datei (RFC 9530); passt sie nicht, wird nichts gespeichert (400). */
  'Repr-Digest'?: string
  /** Dasselbe hexadezimal. */
  'X-Sha256'?: string
  /** Zielpfad, genau wie gesendet. Ohne ihn entsteht der Pfad aus dem SHA-256. */
  'X-Path'?: string
  /** Wenn der Inhalt Base64-Text ist. */
  'X-Encoding'?: 'base64'
  /** false: ein belegter Pfad wird mit 409 abgelehnt statt überschrieben. */
  'X-Overwrite'?: 'true' | 'false'
  /** Medientyp; sonst entscheidet die Endung. */
  'X-Mime'?: string
  /** sha-256 des Inhalts wie gesendet (RFC 9530); gilt, wo er die Datei selbst ist. */
  'Content-Digest'?: string
}

/** POST /api/upload: Speichert eine Datei: als Formular, als Base64-Text oder roh */
export interface PostUploadAnswer {
  url: string
  path: string
  size: number
  sha256: string
  mime: string
  replaced: boolean
  /** Nur wenn das Bild verkleinert wurde: Breite x Höhe vorher und nachher. */
  verkleinert?: {
    von: string
    auf: string
  }
}

/** POST /api/tickets: Macht ein Ticket: eine Adresse, an die ein Programm ohne Token hochlädt */
export interface PostTicketsAnswer {
  /** POST oder PUT dorthin lädt eine Datei hoch, ohne Token. */
  url: string
  gueltig_bis: number
  anzahl: number
}

/** GET /api/exists */
export interface GetExistsParameters {
  pfad: string
}

/** GET /api/exists: Ob es eine Datei gibt */
export interface GetExistsAnswer {
  exists: boolean
  path: string
  url: string
  size?: number
  sha256?: string
  updated_at?: number
}

/** GET /api/exists/{pfad} */
export interface GetExistsPfadParameters {
  /** Darf Schrägstriche enthalten. */
  pfad: string
}

/** GET /api/exists/{pfad}: Dasselbe in der älteren Form */
export interface GetExistsPfadAnswer {
  exists: boolean
  path: string
  url: string
  size?: number
  sha256?: string
  updated_at?: number
}

/** DELETE /api/media/{pfad} */
export interface DeleteMediaPfadParameters {
  /** Darf Schrägstriche enthalten. */
  pfad: string
}

/** DELETE /api/media/{pfad}: Löscht eine Datei endgültig; braucht das Recht dazu */
export interface DeleteMediaPfadAnswer {
  deleted: string
}

/** GET /api/dateien */
export interface GetDateienParameters {
  /** Ohne Angabe das Präfix des Tokens */
  ordner?: string
  /** 1: auch, was in Unterordnern liegt */
  unterordner?: '0' | '1'
  /** Wörter in beliebiger Reihenfolge, die alle im Pfad stehen, gleich ob groß oder klein; ü findet auch ue und u. Ein Wort mit * (beliebig viele Zeichen) oder ? (eines) muss von Anfang bis Ende eines Namens oder Ordners passen. Gesucht wird überall unterhalb von „ordner“; „ordner“ der Antwort sind dann Ordner, deren Name passt. */
  suche?: string
  sortierung?: 'name' | 'size' | 'updated_at' | 'abrufe' | 'zuletzt_abgerufen'
  richtung?: 'auf' | 'ab'
  seite?: string
  anzahl?: string
}

/** GET /api/dateien: Dateien unter dem Präfix des Tokens, seitenweise; braucht das Recht dazu */
export interface GetDateienAnswer {
  dateien: {
    path: string
    url: string
    size: number
    sha256: string
    mime: string
    updated_at: number
  }[]
  gesamt: number
}
