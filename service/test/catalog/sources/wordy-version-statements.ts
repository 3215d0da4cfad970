// Version statements with names of products, models and firmware, in the columns of version-statements.ts.
export const WORDY_STATEMENTS = String.raw`SN ¦ ServiceNow Now Platform ¦ 0 ¦ Vancouver Patch 6 Hot Fix 2 ¦ ¦ [, Vancouver_Patch_6_Hot_Fix_2)
Joomla ¦ Joomla! Project Joomla! CMS ¦ 4.0.0-4.4.2 ¦ ¦ ¦ [4.0.0, 4.4.2]
Joomla ¦ extension for Joomla ¦ 1.0.0-2.4.3.1 ¦ ¦ ¦ [1.0.0, 2.4.3.1]
imaginationtech ¦ Imagination Technologies Graphics DDK ¦ 1.15 RTM ¦ ¦ 24.2 RTM2 ¦ [1.15_RTM, 24.2_RTM2]
NI ¦ NI VeriStand ¦ 0 ¦ ¦ 2023 Q4 ¦ [, 2023_Q4]
Vivo ¦ Vivo iQOO Community ¦ Versions below 4.1.6.33 ¦ ¦ ¦ [, 4.1.6.33)
SWI ¦ Sierra Wireless ALEOS ¦ all versions before 3.15.1 ¦ ¦ ¦ [, 3.15.1)
Hitachi Energy ¦ Hitachi Energy FOXMAN-UN ¦ FOXMAN-UN R16A ¦ ¦ ¦ R16A
Hitachi Energy ¦ Hitachi Energy TXpert Hub CoreTec 4 ¦ TXpert Hub CoreTec 4 version 2.0.* ¦ ¦ ¦ [2.0, 2.1)
Zoom ¦ Zoom Video Communications, Inc. Zoom clients ¦ See references link for ZSB-23025 ¦ ¦ ¦ any
AMD ¦ AMD CPU ¦ See advisory AMD-SB-7016 ¦ ¦ ¦ any
XEN ¦ Xen xen ¦ consult Xen advisory XSA-417 ¦ ¦ ¦ any
icscert ¦ Panasonic Sanyo CCTV Network Camera ¦ VCC-HD5600P version 2.03-06 ¦ ¦ ¦ any
icscert ¦ OMNTEC Proteus Tank Monitoring ¦ OEL8000III Series ¦ ¦ ¦ any
certcc ¦ HP EliteBook 850 G1 ¦ BIOS revision L71 Ver. 01.09 ¦ ¦ ¦ any
certcc ¦ Kiloview NDI ¦ N3 Firmware 2.02.0227 ¦ ¦ ¦ any
zdi ¦ WinZip Computing WinZip ¦ 28.0 (15640) 64-bit ¦ ¦ ¦ any
Mitsubishi ¦ Mitsubishi Electric Corporation MITSUBISHI CNC M80V ¦ System Number BND-2053W000 versions A8 and prior ¦ ¦ ¦ any
Mitsubishi ¦ Mitsubishi Electric Corporation MITSUBISHI CNC M80W ¦ System Number BND-2008W000all versions ¦ ¦ ¦ any
OMRON ¦ OMRON Corporation Machine Automation Controller NJ-series ¦ NJ101-[][][][] Ver.1.64.05 and lower ¦ ¦ ¦ any
Axis ¦ Axis Communications AB AXIS A8207-VE ¦ AXIS OS AXIS OS 11.0 - 11.5.53 ¦ ¦ ¦ any
cisco ¦ Cisco Aggregation Services Router 9000 Series ¦ Cisco Aggregation Services Router 9000 Series ¦ ¦ ¦ any
qualcomm ¦ Qualcomm, Inc. Snapdragon Mobile ¦ SD 845, 850, SDX20 ¦ ¦ ¦ SD_845; SD_850; SDX20
3DS ¦ Dassault Systèmes Documentation server ¦ CATIA Composer Release R2023 Golden ¦ ¦ CATIA Composer Release R2023 Refresh4 ¦ [CATIA_Composer_Release_R2023_Golden, CATIA_Composer_Release_R2023_Refresh4]
MediaTek ¦ MediaTek, Inc. MT6985 ¦ Android 13.0 / SDK release 3.3 and before ¦ ¦ ¦ Android_13.0; [, SDK_release_3.3]
ibm ¦ IBM Voice Gateway ¦ 1.0.5, 1.0.6. 1.0.7 ¦ ¦ ¦ 1.0.5; 1.0.6; 1.0.7
CISA-ADP ¦ canonical ubantu_kernel ¦ 0 ¦ .2.0-26.26 ¦ ¦ [, .2.0-26.26)
GitHub_M ¦ froxlor froxlor ¦ <.3.7 ¦ ¦ ¦ [, .3.7)
`
