/** Joins vendor and product, but omits the vendor if the product's name starts with it. */
export function joinProductName(vendor: string, product: string): string {
  return product.toLowerCase().startsWith(vendor.toLowerCase()) ? product : `${vendor} ${product}`
}
