// A feed as Atom (RFC 4287). It has no link to itself: its address is a secret.
import { formatInstant } from '../../domain/instant.ts'
import { clean, type Feed, type FeedItem, identifyFeed, toItem } from './formats.ts'

export function renderAtom(feed: Feed): string {
  const items = feed.events.map((event) => toItem(event, feed))
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${identifyFeed(feed)}</id>`,
    `<title type="text">${escapeXml(clean(feed.name))}</title>`,
    `<updated>${items[0]?.time ?? formatInstant(feed.changedAt)}</updated>`,
    '<author><name>Vulnerability Intelligence Service</name></author>',
    ...items.map(renderEntry),
    '</feed>',
    '',
  ].join('\n')
}

function renderEntry({ id, title, content, time, tags, url }: FeedItem): string {
  return [
    '<entry>',
    `<id>${id}</id>`,
    `<title type="text">${escapeXml(title)}</title>`,
    `<updated>${time}</updated>`,
    `<published>${time}</published>`,
    ...(url === undefined ? [] : [`<link rel="alternate" href="${escapeXml(url)}"/>`]),
    ...tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
    `<content type="text">${escapeXml(content)}</content>`,
    '</entry>',
  ].join('\n')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeXml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
