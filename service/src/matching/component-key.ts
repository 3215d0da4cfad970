import type { Component } from '../domain/component/component.ts'

/** Components with equal keys have equal results. */
export function toComponentKey(component: Component): string {
  const { kind, vendor, product, version, target, edition, isGuessed, stream, thirdParty, hasSourcePackage } = component
  const flags = [isGuessed === true, stream, thirdParty, hasSourcePackage === true]
  return JSON.stringify([kind, vendor, product, version, target, edition, ...flags])
}
