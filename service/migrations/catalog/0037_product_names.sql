-- The dictionary of product names that NVD uses, learnt by the publisher from NVD's configurations (decision E6).

create table catalog.cpe_name (
  part    text not null,
  vendor  text not null,
  product text not null,
  primary key (vendor, product, part)
);

comment on table catalog.cpe_name is 'Part, vendor and product of each CPE name that NVD has called vulnerable.';

create table catalog.cpe_alias (
  cna_vendor  text not null,
  cna_product text not null,
  part        text not null,
  vendor      text not null,
  product     text not null,
  primary key (cna_vendor, cna_product, vendor, product, part)
);

comment on table catalog.cpe_alias is
  'Vendor and product as a CNA names them, with the CPE name of NVD, from CVEs for which both name exactly one product.';

create table catalog.cpe_unmapped (
  cve_key     bigint not null,
  product_key text   not null,
  primary key (cve_key, product_key)
);

create index cpe_unmapped_product_key_idx on catalog.cpe_unmapped (product_key);

comment on table catalog.cpe_unmapped is
  'Published CVEs with a derived CPE name that is not in the dictionary, by the keys under which a name may be learnt later.';

create table catalog.cpe_dictionary (
  is_current boolean primary key default true check (is_current),
  revision   uuid    not null
);

comment on table catalog.cpe_dictionary is
  'One row: a random value that changes with the dictionary, so that each process knows when to read it again.';
